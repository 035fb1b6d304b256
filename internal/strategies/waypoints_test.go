package strategies_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/stretchr/testify/require"
)

// Going on from waypoints opens the lock in some hundred executions, where one in 4,096 of all
// schedules does. The number of workers makes no difference.
func TestAhead(t *testing.T) {
	for seed := uint64(1); seed <= 3; seed++ {
		var first *result.Answer
		for _, workers := range []int{1, 5} {
			a, err := find(t.Context(), "ahead", lock(), search.Options{Executions: 400, Seed: seed, Guide: turned, Workers: workers})
			require.NoError(t, err)
			require.Equal(t, result.Violated, a.Verdict)
			require.Len(t, a.First().Schedule.Faults, 5)
			if first == nil {
				t.Logf("%d executions", a.Search.Executions)
				first = a
			}
			require.Equal(t, first.Search.Executions, a.Search.Executions)
			require.Equal(t, first.First().Schedule, a.First().Schedule)
		}
	}
}

// Behind a target in the middle, states lead on to the lock's opening.
func TestAheadOfStates(t *testing.T) {
	half, err := guide.Parse("half.mg", `waypoint(1, R) :- right("b", 6, R).`)
	require.NoError(t, err)
	for seed := uint64(1); seed <= 3; seed++ {
		a, err := find(t.Context(), "ahead", lock(), search.Options{Executions: 1_000, Seed: seed, Guide: half})
		require.NoError(t, err)
		require.Equal(t, result.Violated, a.Verdict)
		t.Logf("%d executions", a.Search.Executions)
	}
}
