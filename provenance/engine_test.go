package provenance_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// The programs of testdata/engine have few schedules and many facts: a recursion through
// negation, and numbers that take a value for each set of messages.

// engine returns one of them.
func engine(t *testing.T, name string, overrides map[string]string) oracle.Case {
	t.Helper()
	p, err := dedalus.Parse("../testdata/engine/" + name + ".ded")
	require.NoError(t, err)
	b, _, err := rounds.BoundsOf(p, overrides)
	require.NoError(t, err)
	return oracle.Case{Name: name, Program: p, Bounds: b, Seed: 1}
}

// TestTablesDecide evaluates them under all their schedules with little work: what takes
// many values under few schedules, or depends on its absence, is no matter there.
func TestTablesDecide(t *testing.T) {
	for _, c := range []struct {
		name      string
		overrides map[string]string
		scenarios int
		work      int64
	}{
		{"resync", map[string]string{"omissions": "0"}, 76, 400_000},
		{"resync", map[string]string{"omissions": "0", "crashes": "2"}, 2326, 1_500_000},
		{"weights", nil, 365, 20_000},
		{"history", nil, 45, 20_000},
		{"hashed", nil, 49, 400_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := engine(t, c.name, c.overrides)
			all := e.Schedules(c.scenarios)
			require.Len(t, all, c.scenarios)
			among, err := unitsOf(schedules.New(e.Bounds), all)
			require.NoError(t, err)
			g, err := provenance.Evaluate(t.Context(), e.Program, e.Bounds, provenance.Options{Among: among, MaxSteps: c.work})
			require.NoError(t, err)
			m, err := lockstep.Compile(e.Program, e.Bounds, lockstep.Options{})
			require.NoError(t, err)
			outcome, err := compareWorlds(t.Context(), m, g, some(all, 100))
			require.NoError(t, err)
			require.Equal(t, agreed, outcome)
		})
	}
}

// TestRecursionThroughNegationOverManySchedules evaluates the recursion under 8.4·10^13
// schedules, without a solver.
func TestRecursionThroughNegationOverManySchedules(t *testing.T) {
	c := engine(t, "resync", nil)
	g, err := provenance.Evaluate(t.Context(), c.Program, c.Bounds, provenance.Options{MaxSteps: 2_000_000})
	require.NoError(t, err)
	m, err := lockstep.Compile(c.Program, c.Bounds, lockstep.Options{})
	require.NoError(t, err)
	outcome, err := compareWorlds(t.Context(), m, g, c.Schedules(10))
	require.NoError(t, err)
	require.Equal(t, agreed, outcome)
}

// some returns about so many schedules, from all over the list.
func some(schedules []rounds.Schedule, count int) (picked []rounds.Schedule) {
	for i := 0; i < len(schedules); i += len(schedules)/count + 1 {
		picked = append(picked, schedules[i])
	}
	return picked
}

// TestSumsBeyondTheBoundsDoNotCount: a sum that has a value for each of 8,192 sets, most of
// which no schedule within the bounds gives, is evaluated without tables too.
func TestSumsBeyondTheBoundsDoNotCount(t *testing.T) {
	c := engine(t, "weights", map[string]string{"omissions": "2"})
	g, err := provenance.Evaluate(t.Context(), c.Program, c.Bounds, provenance.Options{})
	require.NoError(t, err)
	m, err := lockstep.Compile(c.Program, c.Bounds, lockstep.Options{})
	require.NoError(t, err)
	outcome, err := compareWorlds(t.Context(), m, g, c.Schedules(50))
	require.NoError(t, err)
	require.Equal(t, agreed, outcome)
	_, err = g.Under(g.Universe.Schedule(func(unit int) bool { return unit < 3 }))
	require.ErrorContains(t, err, "not within the bounds")
}

// TestRecursionLimit: a recursion that is too much work ends at a limit that says so, and
// what follows rounds without one does not count for it.
func TestRecursionLimit(t *testing.T) {
	c := engine(t, "resync", nil)
	_, err := provenance.Evaluate(t.Context(), c.Program, c.Bounds, provenance.Options{MaxRecursion: 5_000})
	var limit *limits.LimitError
	require.ErrorAs(t, err, &limit)
	require.Equal(t, provenance.StepsOfRecursion, limit.What)
	_, err = provenance.Evaluate(t.Context(), c.Program, c.Bounds, provenance.Options{MaxRecursion: 500_000})
	require.NoError(t, err)
}
