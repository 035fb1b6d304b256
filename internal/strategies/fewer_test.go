package strategies_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

// fragile is a system whose processes do nothing, with a property that some
// schedules violate. If it is random, they draw numbers.
func fragile(random bool, violates func(rounds.Schedule) bool) target {
	return target{
		System: &system.System{
			Name: "fragile", Processes: []string{"a", "b", "c"}, Rounds: 6,
			New: func(_ string, r *rand.Rand) system.Process {
				if random {
					r.Uint64()
				}
				return play{func(*system.Step) {}, func(*system.Step, []system.Message) {}}
			},
		},
		Properties: []property.Property{{Name: "p", Func: func(e *recording.Execution) []result.Violation {
			if !violates(e.Schedule) {
				return nil
			}
			return []result.Violation{{Text: "it is violated"}}
		}}},
		Bounds: rounds.Bounds{Omissions: 4, Crashes: 1},
	}
}

// three is true of some schedules with at least three omissions.
func three(s rounds.Schedule) bool {
	in := func(round int, links ...string) bool {
		return slices.ContainsFunc(s.Faults, func(f rounds.Fault) bool {
			return f.Kind == rounds.Omit && f.Round == round && (links == nil || slices.Contains(links, f.Process+f.To))
		})
	}
	return in(1, "ab") && in(2, "bc", "cb") && in(3, "ca", "cb")
}

// A search goes on with other seeds, and finds what two faults do where it found
// what three do, whatever the number of workers.
func TestTheSearchGoesOnWithOtherSeeds(t *testing.T) {
	violates := func(s rounds.Schedule) bool {
		return three(s) || s.Size() == 2 && s.Settings.Seed.Value%4 == 1 && strings.HasPrefix(s.String()[strings.Index(s.String(), ";")+1:], " crash c@")
	}
	for _, strategy := range []string{"uniform", "spread", "sample"} {
		var answers []*result.Answer
		for _, workers := range []int{1, 3} {
			a, err := find(t.Context(), strategy, fragile(true, violates), search.Options{Seed: 1, Workers: workers})
			require.NoError(t, err)
			answers = append(answers, a)
		}
		require.Equal(t, answers[0], answers[1])
		a := answers[0]
		t.Logf("%s: %d executions, %d further below %d: %s", strategy, a.Search.Executions, a.Search.Further, a.Search.Below, a.First().Schedule)
		require.LessOrEqual(t, a.Search.Further, min(a.Search.Executions, 2500))
		if strategy == "uniform" { // the others happen to find the two first, or draw no such
			require.Positive(t, a.Search.Further)
			require.Equal(t, 3, a.Search.Below)
			require.Equal(t, 2, a.First().Size)
			require.True(t, a.First().Irreducible)
			require.False(t, a.First().Minimal) // of other sets of two or fewer with this seed nothing is known
		}
	}
}

// Where all schedules with fewer faults are few enough, they are executed, and what
// is left is minimal.
func TestAllSchedulesWithFewerFaultsAreExecuted(t *testing.T) {
	one := func(s rounds.Schedule) bool { return three(s) || s.String() == "crash b@3" }
	two := func(s rounds.Schedule) bool {
		return s.Size() >= 2 && strings.Contains(s.String(), "omit a>b@1") && strings.Contains(s.String(), "omit c>a@2")
	}
	for _, c := range []struct {
		violates func(rounds.Schedule) bool
		size     int
		random   bool
		among    string
	}{
		{one, 1, false, result.AmongBounds},
		{two, 2, false, result.AmongBounds},
		{two, 2, true, result.AmongSettings},
	} {
		system := fragile(c.random, func(s rounds.Schedule) bool { s.Settings = rounds.Settings{}; return c.violates(s) })
		a, err := find(t.Context(), "uniform", system, search.Options{Seed: 3})
		require.NoError(t, err)
		require.Equal(t, result.Violated, a.Verdict)
		first := a.First()
		t.Logf("%d executions, %d further below %d: %s", a.Search.Executions, a.Search.Further, a.Search.Below, first.Schedule)
		require.Equal(t, c.size, first.Size)
		require.True(t, first.Minimal && first.Irreducible)
		require.Equal(t, c.among, first.Among)
		require.Positive(t, a.Search.Further)
		require.Less(t, a.Search.Executions+a.Search.Further, a.Stats.Executions)
	}
}

// What is minimal has the fewest faults of all schedules that violate something, not
// only what was found first.
func TestMinimalAmongAllProperties(t *testing.T) {
	for _, c := range []struct {
		found, other func(rounds.Schedule) bool
		want         string
	}{
		{func(s rounds.Schedule) bool { return strings.Contains(s.String(), "crash c") }, func(s rounds.Schedule) bool { return s.Size() == 0 }, ""},
		{three, func(s rounds.Schedule) bool { return s.String() == "crash b@3" }, "crash b@3"},
	} {
		system := fragile(false, c.found)
		system.Properties = append(system.Properties, fragile(false, c.other).Properties...)
		system.Properties[1].Name = "q"
		a, err := find(t.Context(), "uniform", system, search.Options{Seed: 3})
		require.NoError(t, err)
		require.Equal(t, c.want, a.First().Schedule.String())
		require.True(t, a.First().Minimal)
		require.Equal(t, "q", a.First().Violations[0].Property)
		require.Greater(t, a.Search.Found.Size(), a.First().Size)
	}
}

// The search goes on for at most a quarter of all executions, and not at all with
// Whole.
func TestTheSearchDoesNotGoOnForever(t *testing.T) {
	a, err := find(t.Context(), "uniform", fragile(true, three), search.Options{Seed: 3, Executions: 2000})
	require.NoError(t, err)
	require.Equal(t, 500, a.Search.Further)
	require.False(t, a.First().Minimal)
	a, err = find(t.Context(), "uniform", fragile(true, three), search.Options{Seed: 3, Whole: true})
	require.NoError(t, err)
	require.Zero(t, a.Search.Further)
	require.False(t, a.First().Irreducible)
}
