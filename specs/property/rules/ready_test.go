package rules

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/specs/property"

	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/stretchr/testify/require"
)

// texts returns what is wrong with an execution, by all evaluations of its
// rules: as they are, and read from their text and evaluated in both ways.
func texts(t *testing.T, p property.Property, e *recording.Execution) []string {
	t.Helper()
	both(t, e, p.Rules.Text)
	violations, err := p.Check(e)
	require.NoError(t, err)
	text := New(p.Name, p.Rules.Text)
	text.ByEnd = p.ByEnd
	read, err := text.Check(e)
	require.NoError(t, err)
	require.Equal(t, read, violations)
	var all []string
	for _, v := range violations {
		require.Equal(t, p.Name, v.Property)
		all = append(all, v.Text)
	}
	return all
}

func TestAgreement(t *testing.T) {
	p := property.Agreement("decided")
	require.Empty(t, texts(t, p, oracle.Recorded(t)))
	require.Empty(t, texts(t, p, oracle.Recorded(t, "decided a 1 @3", "decided b 1 @4", "decided b 1 @5")))
	require.Equal(t, []string{"violation(a, 1, c, 2)"}, texts(t, p, oracle.Recorded(t, "decided a 1 @3", "decided c 2 @9")))
	require.Equal(t, []string{"violation(b, 1, b, 2)", "violation(b, 2, b, 1)"}, texts(t, p, oracle.Recorded(t, "decided b 1 @3", "decided b 2 @4")))
}

func TestAgreementPerKey(t *testing.T) {
	p := property.AgreementPerKey("applied")
	require.Empty(t, texts(t, p, oracle.Recorded(t, "applied a 1 x @3", "applied b 2 y @3", "applied c 1 x @9")))
	require.Equal(t, []string{`violation(2, a, "y", b, "z")`}, texts(t, p, oracle.Recorded(t, "applied a 2 y @3", "applied b 2 z @3", "applied b 1 x @3")))
}

func TestPrefixOrder(t *testing.T) {
	p := property.PrefixOrder("out")
	require.Empty(t, texts(t, p, oracle.Recorded(t, "out a 1 x @1", "out a 2 y @2", "out b 1 x @4")))
	require.Equal(t, []string{`violation(1, a, "x", b, "y")`}, texts(t, p, oracle.Recorded(t, "out a 1 x @1", "out b 1 y @4")))
	require.Equal(t, []string{`violation(2, b, "nothing", a, "y")`},
		texts(t, p, oracle.Recorded(t, "out a 1 x @1", "out a 2 y @2", "out a 3 z @2", "out b 1 x @4", "out b 3 z @5")))
}

func TestUniquePerTerm(t *testing.T) {
	p := property.UniquePerTerm("leader")
	require.Empty(t, texts(t, p, oracle.Recorded(t, "leader a 1 @1", "leader b 2 @2", "leader b 3 @3")))
	require.Equal(t, []string{"violation(2, a, b)"}, texts(t, p, oracle.Recorded(t, "leader b 2 @1", "leader a 2 @8")))
}

func TestDurable(t *testing.T) {
	p := property.Durable("acknowledged", "stored")
	require.Empty(t, texts(t, p, oracle.Recorded(t, "acknowledged a 7 @2", "stored b 7 @9")))
	require.Equal(t, []string{"pre(7), but no post(7) by the end of round 9"},
		texts(t, p, oracle.Recorded(t, "acknowledged a 7 @2", "stored b 7 @8", "stored b 8 @9")))
}

func TestEventualProgress(t *testing.T) {
	p := property.EventualProgress("leader", 2, 5)
	require.Empty(t, texts(t, p, oracle.Recorded(t, "leader a 1 @6")))
	require.Equal(t, []string{`pre("leader after round 5"), but no post("leader after round 5") by the end of round 9`},
		texts(t, p, oracle.Recorded(t, "leader a 1 @5")))
	require.Empty(t, texts(t, property.EventualProgress("leader", 2, 9), oracle.Recorded(t)))
}

// What a system calls Leader, rules call leader, and so do ready-made properties.
func TestRelationsWithOtherNames(t *testing.T) {
	p := property.UniquePerTerm("Leader")
	require.Equal(t, []string{"violation(2, a, b)"}, texts(t, p, oracle.Recorded(t, "Leader b 2 @1", "Leader a 2 @8")))
}
