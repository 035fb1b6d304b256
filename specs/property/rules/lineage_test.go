package rules

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/oracle"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

// A checker shows what its rules derived and what they read, for those who ask
// why an outcome held.
func TestWhatRulesDeriveAndRead(t *testing.T) {
	e := oracle.Recorded(t, "leader a 1 @2", "leader b 2 @5", "word c hello @1")
	c, err := property.Compile(New("led", `
		pre(1). pre(2).
		post(T) :- leader(_, T, _).
		needs(T, P, P, R) :- leader(P, T, R).`))
	require.NoError(t, err)
	rules := c.Rules()
	require.True(t, rules.Derived("post"))
	require.True(t, rules.Derived(datalog.Needs))
	require.False(t, rules.Derived(datalog.NeedsSome))

	violations, err := c.Check(e)
	require.NoError(t, err)
	require.Empty(t, violations)
	one, two, a, b := specs.Int(1), specs.Int(2), specs.String("a"), specs.String("b")
	require.Equal(t, [][]specs.Value{{one}, {two}}, rules.Rows("post"))
	require.Equal(t, [][]specs.Value{{one, a, a, two}, {two, b, b, specs.Int(5)}}, rules.Rows(datalog.Needs))
	require.Empty(t, rules.Rows(datalog.NeedsSome))

	facts, err := rules.Table(e)
	require.NoError(t, err)
	require.Equal(t, []recording.Fact{
		{Relation: "leader", Args: []specs.Value{a, one, two}, Round: 1},
		{Relation: "leader", Args: []specs.Value{b, two, specs.Int(5)}, Round: 1},
	}, facts)

	f, err := property.Compile(property.Property{Name: "any", Func: func(*recording.Execution) []result.Violation { return nil }})
	require.NoError(t, err)
	require.Nil(t, f.Rules())
}
