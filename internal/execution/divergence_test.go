package execution_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// execution is one of three rounds, with these facts in the second.
func recorded(facts ...string) *recording.Execution {
	e := &recording.Execution{Bounds: rounds.Bounds{Processes: []string{"a", "b"}, EOT: 3}}
	for _, f := range facts {
		e.Facts = append(e.Facts, recording.Fact{Relation: f, Args: []specs.Value{specs.String("a")}, Round: 2})
	}
	return e
}

func TestOf(t *testing.T) {
	require.Nil(t, execution.FirstDivergence(recorded("up"), recorded("up")))
	require.Nil(t, execution.FirstDivergence(nil, recorded("up")))
	d := execution.FirstDivergence(recorded("up", "leader"), recorded("up", "follower", "late"))
	require.Equal(t, 2, d.Round)
	require.Equal(t, "  one        other\n  leader(a)  follower(a)\n  -          late(a)\n", d.SideBySide("one", "other"))
}

// What becomes of a message is part of what happens.
func TestMessages(t *testing.T) {
	sent := func(m recording.Message) *recording.Execution {
		e := recorded()
		m.From, m.To, m.Round, m.Relation, m.Args = "a", "b", 1, "vote", []specs.Value{specs.String("b"), specs.Int(7)}
		e.Messages = []recording.Message{m}
		return e
	}
	d := execution.FirstDivergence(sent(recording.Message{Lost: true}), sent(recording.Message{Arrival: 3}))
	require.Equal(t, "  one                   other\n  a > b: vote(7), lost  a > b: vote(7), kept until round 3\n", d.SideBySide("one", "other"))
}

func TestLongDivergences(t *testing.T) {
	var many []string
	for i := range 14 {
		many = append(many, fmt.Sprintf("fact%02d%s", i, strings.Repeat("x", 100)))
	}
	text := execution.FirstDivergence(recorded(many...), recorded()).SideBySide("one", "other")
	require.Equal(t, 12, strings.Count(text, "\n"))
	require.Contains(t, text, "and 4 more")
	require.Contains(t, text, "…")
	require.Contains(t, text, "xxx(a)  -") // a long text loses its middle
}

// Raw bytes become visible, long texts lose their middle, and what differs stays.
func TestShown(t *testing.T) {
	long := func(at int, odd string) string { return strings.Repeat("x", at) + odd + strings.Repeat("x", 300-at) }
	for _, at := range []int{0, 20, 150, 299} {
		before, after := execution.Apart([]string{long(at, "1")}, []string{long(at, "2")}, 50)
		require.NotEqual(t, before, after, at)
		require.LessOrEqual(t, text.Width(before[0]), 50)
	}
	d := &execution.Divergence{Before: []string{"a > b: m(\"\x00\xff\n\x1b[2J\")"}, After: []string{strings.Repeat("\x00", 100), "second"}}
	before, after := d.Shown(1, 40)
	require.Equal(t, []string{`a > b: m("\x00\xff\n\x1b[2J")`}, before)
	require.Len(t, after, 1)
	require.Equal(t, 40, text.Width(after[0]))
}
