package strategies_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// assuming adds random assumptions to a third of the targets, and lets faults begin late
// in some of these.
func assuming(r *rand.Rand, t target) target {
	if r.IntN(3) > 0 {
		return t
	}
	b := t.Bounds
	b.Processes, b.EOT = t.System.Processes, t.System.Rounds
	b = oracle.Begin(r, oracle.Assume(r, b))
	t.Bounds.NeverCrash, t.Bounds.Reliable, t.Bounds.From = b.NeverCrash, b.Reliable, b.From
	return t
}

// What strategies that draw find under assumptions lies within them, and is there by
// executing all schedules. Its schedule says what is reliable.
func TestDrawnUnderAssumptions(t *testing.T) {
	found := 0
	for seed := *first; seed < *first+uint64(*long); seed++ {
		target, r := toySystem(seed)
		for len(target.Bounds.NeverCrash)+len(target.Bounds.Reliable) == 0 {
			target = assuming(r, target)
		}
		fewest, _ := bruteForce(t, target)
		for _, strategy := range []string{"spread", "uniform", "sample"} {
			a, err := find(t.Context(), strategy, target, search.Options{Seed: seed, Executions: 100})
			require.NoError(t, err)
			if a.Verdict != result.Violated {
				continue
			}
			found++
			b := target.Bounds
			b.Processes, b.EOT, b.CrashStop = target.System.Processes, target.System.Rounds, true
			require.NoError(t, schedules.WithinSystem(a.Search.Found, b), "seed %d", seed)
			require.NoError(t, schedules.WithinSystem(a.First().Schedule, b), "seed %d", seed)
			require.GreaterOrEqual(t, fewest, 0, "%s: seed %d: %s", strategy, seed, a.Summary())
			require.GreaterOrEqual(t, a.First().Size, fewest, "%s: seed %d", strategy, seed)
		}
	}
	require.Positive(t, found)
}

// Strategies keep to what is taken for granted of the messages of each round: what
// they find lies within it, and a certificate is one. Those that do not know it refuse
// it by name.
func TestUnderWhatEachRoundGrants(t *testing.T) {
	outcomes := map[string]int{}
	for seed := uint64(1); seed <= 12; seed++ {
		target, r := toySystem(seed)
		target.Bounds.Deliver = []string{"", "majority", "n-f", "2"}[r.IntN(4)]
		if target.Bounds.Kernel = "yes"; target.Bounds.Deliver != "" && r.IntN(2) == 0 {
			target.Bounds.Kernel = ""
		}
		b := target.Bounds
		b.Processes, b.EOT, b.CrashStop = target.System.Processes, target.System.Rounds, true
		if b.Validate() != nil || len(b.Processes) < 2 || schedules.Count(b).Cmp(big.NewInt(2000)) > 0 {
			continue
		}
		fewest, _ := bruteForce(t, target)
		for _, strategy := range []string{"exhaustive", "learn"} {
			_, err := find(t.Context(), strategy, target, search.Options{Seed: seed, Executions: 100})
			require.ErrorContains(t, err, "strategy "+strategy+" cannot guarantee this")
		}
		for _, strategy := range []string{"", "lineage", "enumerate", "spread", "uniform", "sample"} {
			a, err := find(t.Context(), strategy, target, search.Options{Seed: seed, Executions: 300})
			require.NoError(t, err)
			outcomes[string(a.Verdict)]++
			switch a.Verdict {
			case result.Violated:
				require.NoError(t, schedules.WithinSystem(a.Search.Found, b), "%s: seed %d", strategy, seed)
				require.NoError(t, schedules.WithinSystem(a.First().Schedule, b), "%s: seed %d", strategy, seed)
				require.GreaterOrEqual(t, fewest, 0, "%s: seed %d: %s", strategy, seed, a.Summary())
			case result.Holds:
				require.Negative(t, fewest, "%s: seed %d", strategy, seed)
			}
		}
	}
	require.Positive(t, outcomes["violated"])
	require.Positive(t, outcomes["holds"])
}
