package strategies_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// Where faults begin with phases only, enumerate agrees with the execution of all
// schedules, what is drawn is within the bounds, and the other strategies say that
// they do not know such faults.
func TestStartsOfPhases(t *testing.T) {
	for seed := *first; seed < *first+uint64(*long); seed++ {
		target := keeperSystem(seed)
		b := &target.Bounds
		b.At, b.Omissions, b.Delays, b.Duplicates, b.Orders, b.Deliver, b.Kernel = "phase", 0, 0, 0, 0, "", ""
		fewest, all := bruteForce(t, target)
		if all == 1 {
			continue
		}
		found, err := find(t.Context(), "enumerate", target, search.Options{Executions: 10_000})
		require.NoError(t, err)
		require.Equal(t, fewest >= 0, found.Verdict == result.Violated, "seed %d: %s", seed, found.Summary())
		if fewest >= 0 {
			require.Equal(t, fewest, found.Search.Found.Size(), "seed %d", seed)
		}
		within := *b
		within.Processes, within.EOT, within.CrashStop = target.System.Processes, target.System.Rounds, true
		for _, strategy := range []string{"spread", "uniform"} {
			drawn, err := find(t.Context(), strategy, target, search.Options{Seed: seed, Executions: 300})
			require.NoError(t, err)
			if drawn.Verdict == result.Violated {
				require.GreaterOrEqual(t, fewest, 0, "%s: seed %d", strategy, seed)
				require.NoError(t, schedules.WithinSystem(drawn.First().Schedule, within), "%s: seed %d", strategy, seed)
			}
		}
		for _, strategy := range []string{"exhaustive", "learn", "lineage", "sample"} {
			_, err := find(t.Context(), strategy, target, search.Options{Executions: 10})
			require.ErrorContains(t, err, strategy+" does not support at=phase: use enumerate, spread or uniform")
		}
	}
}
