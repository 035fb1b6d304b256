package strategies_test

import (
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/stretchr/testify/require"
)

// holding searches a system, and leaves the waypoints of some rules unharmed.
func holding(t *testing.T, about target, rules string, seed uint64) *result.Answer {
	t.Helper()
	g, err := guide.Parse("way.mg", rules)
	require.NoError(t, err)
	a, err := find(t.Context(), "", about, search.Options{Guide: g, Hold: true, Seed: seed})
	require.NoError(t, err)
	require.Equal(t, "lineage", a.Search.Strategy)
	return a
}

// The word has to reach b and c. With that to b held it is always c that does not hear it.
func TestHeld(t *testing.T) {
	lossy := target{System: broadcast(2), Bounds: rounds.Bounds{Omissions: 2, Crashes: 1}}
	for seed := range uint64(10) {
		a := holding(t, lossy, `waypoint(1, R) :- heard("b", R).`, seed)
		require.Equal(t, result.Violated, a.Verdict)
		require.Equal(t, []string{"c"}, missing(a))
		require.Equal(t, []result.Way{{Messages: []string{"message a>b@1"}, Processes: []string{"a@1", "b@1"}}}, []result.Way(a.Guidance.Held.Ways))
	}
	for _, rules := range []string{`waypoint(1, R) :- heard("b", R), heard("c", R).`, `waypoint(1, R) :- delivered("a", "b", _, _, R), delivered("a", "c", _, _, R).`} {
		a := holding(t, lossy, rules, 0)
		require.Equal(t, result.Inconclusive, a.Verdict, "nothing is left to break")
		require.Equal(t, "no hypothesis is left that leaves unharmed what led to waypoint 1", a.Limit.Reason)
	}
}

// missing are those for whom the promise is broken.
func missing(a *result.Answer) (names []string) {
	for _, v := range a.Counterexamples[0].Violations {
		names = append(names, v.Fact.Args[0].Text())
	}
	return names
}

// b leads the second term only after a fault. That stays, and no other is taken for needed: the way is made shorter.
func TestHeldFaults(t *testing.T) {
	elected := target{System: election.Fixed(), Bounds: rounds.Bounds{Isolations: 2, Period: 2}}
	for seed := range uint64(5) {
		a := holding(t, elected, `waypoint(1, R) :- leader("b", 2, R).`, seed)
		require.Equal(t, result.Violated, a.Verdict)
		found := a.Counterexamples[0].Schedule
		require.True(t, slices.ContainsFunc(found.Faults, func(f rounds.Fault) bool { return f.Process == "a" && f.Round <= 4 }), found.String())
		require.Len(t, a.Guidance.Held.Ways[0].Faults, 1)
		require.Len(t, found.Faults, 2)
	}
}

// What cannot be held is refused.
func TestHeldRefused(t *testing.T) {
	way := must(guide.Parse("way.mg", `waypoint(1, R) :- heard("b", R).`))
	_, err := find(t.Context(), "spread", target{System: broadcast(2), Bounds: rounds.Bounds{Omissions: 2}}, search.Options{Guide: way, Hold: true})
	require.ErrorContains(t, err, "strategy spread does not know what a waypoint rests on")
	_, err = find(t.Context(), "", target{System: broadcast(2)}, search.Options{Guide: way, Hold: true})
	require.ErrorContains(t, err, "the bounds allow no faults")
}
