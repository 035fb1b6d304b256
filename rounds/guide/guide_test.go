package guide

import (
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

func sent(round int, from, to, kind, text string) recording.Message {
	return recording.Message{From: from, To: to, Round: round, Relation: kind, Args: []specs.Value{specs.String(to), specs.String(text)}}
}

func fact(relation string, args ...any) recording.Fact {
	f := recording.Fact{Relation: relation, Round: args[len(args)-1].(int)}
	for _, a := range args[:len(args)-1] {
		switch a := a.(type) {
		case int:
			f.Args = append(f.Args, specs.Int(int64(a)))
		case string:
			f.Args = append(f.Args, specs.String(a))
		}
	}
	return f
}

func newRun(t *testing.T, text string) *Run {
	t.Helper()
	g, err := Parse("votes.mg", text)
	require.NoError(t, err)
	r, err := g.NewRun(rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 10}, nil)
	require.NoError(t, err)
	return r
}

func TestVotesGetLostUntilTheLeaderIsBack(t *testing.T) {
	r := newRun(t, `
		drop(M) :- message(M, _, _, "Vote", _, R), !down(R).
		down(R) :- crashed(P, S), round(R), R > S.
		crash(P, S) :- leader(P, T, R), S = fn:plus(R, 2).
		goto("start", "led") :- leader(_, _, _).
		goto("led", "late") :- message(_, _, _, "Vote", T, _), :string:contains(T, "term 2").
		good("late").
		waypoint(1, R) :- leader(_, 1, R).
		waypoint(2, R) :- leader(P, 2, R), crashed(Q, _), P != Q.
	`)
	votes := func(round int) []recording.Message {
		return []recording.Message{sent(round, "a", "b", "Vote", "term 1"), sent(round, "a", "c", "App", ""), sent(round, "b", "c", "Vote", "term 2")}
	}
	d, err := r.Decide(t.Context(), Past{}, votes(1))
	require.NoError(t, err)
	require.Equal(t, []Fate{{Message: 1, Do: "drop", Rule: 0}, {Message: 3, Do: "drop", Rule: 0}}, d.Fates)
	d, err = r.Decide(t.Context(), Past{Facts: []recording.Fact{fact("leader", "a", 1, 1)}}, votes(2))
	require.NoError(t, err)
	require.Equal(t, []Fate{{Message: 4, Do: "drop", Rule: 0}, {Message: 6, Do: "drop", Rule: 0}}, d.Fates)
	require.Empty(t, d.Acts)
	d, err = r.Decide(t.Context(), Past{}, nil)
	require.NoError(t, err)
	require.Equal(t, []Act{{Do: "crash", Process: "a", Rule: 2}}, d.Acts)
	d, err = r.Decide(t.Context(), Past{Faults: []rounds.Fault{{Kind: rounds.Crash, Process: "a", Round: 3}}}, votes(4))
	require.NoError(t, err)
	require.Empty(t, d.Fates)
	o, err := r.End(t.Context(), Past{Facts: []recording.Fact{fact("leader", "b", 2, 4)}})
	require.NoError(t, err)
	require.Equal(t, []Move{{"led", 1, 3}, {"late", 2, 4}}, o.Moves)
	require.Equal(t, []int{1, 4}, o.Reached)
	require.Equal(t, []int{4, 1, 1, 1, 1, 0, 1, 1}, o.Fired)
}
