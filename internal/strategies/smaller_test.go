package strategies_test

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

// What was found is made as small as it is where each smaller schedule is gone on with, in
// fewer executions. Some schedules violate the property for good, and others until they go
// on, among these such with fewer faults and later starts. With few executions some later
// starts are left, and the answer says so.
func TestSmallerAsByGoingOnWithEach(t *testing.T) {
	count := map[string]int{}
	for seed := *first; seed < *first+4*uint64(*long); seed++ {
		r := rand.New(rand.NewPCG(seed, 20))
		tgt := sometimesLate(r)
		a, err := find(t.Context(), "uniform", tgt, search.Options{Seed: seed, Executions: 300})
		require.NoError(t, err)
		if a.Verdict != result.Violated {
			count["nothing"]++
			continue
		}
		c := a.First()
		require.True(t, c.Irreducible)
		want, executed := asByEach(t, tgt, a)
		count["executions"] += a.Stats.Executions - a.Search.Executions - a.Search.Continued - a.Search.Further
		count["executions by each"] += executed
		require.LessOrEqual(t, c.Size, want.Size())
		switch {
		case c.Schedule.Normal().String() == want.Normal().String():
			count["same"]++
		case c.Size < want.Size():
			count["fewer faults"]++ // by the search for them
		default:
			require.Positive(t, a.Search.Untried, "seed %d: found %s, want %s, got %s", seed, a.Search.Found, want, c.Schedule)
			count["other start"]++
		}
		if a.Search.Untried > 0 {
			count["untried"]++
			require.Contains(t, a.Summary(), "later start")
		}
	}
	t.Log(count)
	require.Positive(t, count["untried"])
	require.Greater(t, count["same"], count["other start"])
	require.Less(t, count["executions"], count["executions by each"])
}

// sometimesLate is a system that is stuck once some isolations last over some rounds, and
// late under some other schedules.
func sometimesLate(r *rand.Rand) target {
	processes := []string{"a", "b", "c"}
	var all []map[string]int // in which round each process is isolated
	for range 1 + r.IntN(3) {
		of := map[string]int{}
		for k := 1 + r.IntN(2); len(of) < k; {
			of[processes[r.IntN(3)]] = 3 + r.IntN(12)
		}
		all = append(all, of)
	}
	odds := 2 + r.Uint64N(5)
	const rest = 24
	return target{
		System: &system.System{
			Name: "sometimes late", Processes: processes, Rounds: rest,
			New: func(string, *rand.Rand) system.Process { return idle{} },
		},
		Properties: []property.Property{{Name: "p", ByEnd: true, Func: func(e *recording.Execution) []result.Violation {
			s := e.Schedule
			s.Settings = rounds.Settings{}
			stuck := slices.ContainsFunc(all, func(of map[string]int) bool {
				for p, round := range of {
					if !slices.ContainsFunc(s.Faults, func(f rounds.Fault) bool {
						return f.Process == p && f.Kind == rounds.Isolate && f.Round <= round && f.Until > round
					}) {
						return false
					}
				}
				return true
			})
			h := fnv.New64a()
			h.Write([]byte(s.Normal().String()))
			if late := e.Bounds.EOT <= rest && h.Sum64()>>7%odds == 0; stuck || late {
				return []result.Violation{{Text: "it is violated", ByEnd: true}}
			}
			return nil
		}}},
		Bounds: rounds.Bounds{Isolations: 4, Period: 8, Omissions: 2, Crashes: 1},
	}
}

// asByEach makes what a search found smaller, and goes on with each schedule that violates
// the property.
func asByEach(t *testing.T, tgt target, a *result.Answer) (rounds.Schedule, int) {
	t.Helper()
	executed := 0
	made, err := search.NewTarget(tgt.System, tgt.Properties)
	require.NoError(t, err)
	bounds := a.Scope.Bounds
	x, err := made.Open(bounds.EOT, true)
	require.NoError(t, err)
	var as *result.Violation
	fails := func(s rounds.Schedule) (bool, error) {
		if s.Check(bounds) != nil {
			return false, nil
		}
		executed++
		e, violations, err := x.Execute(t.Context(), s)
		if err != nil || len(violations) == 0 {
			return false, err
		}
		after, err := made.GoOn(t.Context(), e, violations)
		if err != nil {
			return false, err
		}
		executed += after.Executions
		if as == nil {
			as = &after.Left[0]
		}
		return slices.ContainsFunc(after.Left, func(v result.Violation) bool { return s.Size() == 0 || search.Alike(v, *as) }), nil
	}
	_, err = fails(a.Search.Found)
	require.NoError(t, err)
	smaller, err := schedules.Shrink(a.Search.Found, tgt.Settings, fails)
	require.NoError(t, err)
	return smaller, executed
}
