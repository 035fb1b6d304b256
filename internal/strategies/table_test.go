package strategies_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/examples/cassandra"
	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

var (
	samples = flag.Int("samples", 10, "executions for each cell of Table 2 (the paper has 1000)")
	seeds   = flag.Uint64("seeds", 1, "seeds for which strategies are compared (20 for figures worth quoting)")
	from    = flag.Uint64("from", 0, "the first of these seeds")
	only    = flag.String("strategy", "", "compare this strategy alone")
	budget  = flag.Int("budget", 100, "executions in which a strategy has to find a mistake, in the comparison (20000 for figures worth quoting)")
)

// The shape of Table 2 of "Testing Consensus Implementations Using Communication
// Closure": how many of so many executions drawn by Algorithm 1 break
// Cassandra's transactions, for some periods k with d=8 isolations, and for some
// d with k=6. Run it with -v -samples 1000 for the figures of the paper.
func TestTableTwo(t *testing.T) {
	for _, c := range []struct{ d, k int }{
		{8, 1}, {8, 2}, {8, 4}, {8, 6}, {8, 8}, {8, 10},
		{3, 6}, {4, 6}, {5, 6}, {6, 6}, {8, 6}, {10, 6},
	} {
		t.Logf("k=%2d d=%2d: %d of %d are buggy", c.k, c.d, buggy(t, isolations(cassandra.Buggy(), c.d, c.k)), *samples)
	}
}

// buggy counts the executions that violate a property, going on after each.
func buggy(t *testing.T, target target) int {
	found, left := 0, *samples
	for seed := uint64(0); left > 0; seed++ {
		r, err := find(context.Background(), "sample", target, search.Options{Seed: seed, Executions: left, Whole: true})
		require.NoError(t, err)
		left -= r.Search.Executions
		if r.Verdict == result.Violated {
			found++
		}
	}
	return found
}

// offers tells whether the processes offer what a strategy cannot do without.
func offers(t target, strategy string) bool {
	_, fingerprints := t.System.New(t.System.Processes[0], rand.New(rand.NewPCG(0, 0))).(system.Fingerprinter)
	return fingerprints || strategy != "exhaustive" && strategy != "learn"
}

// Executions up to the first that violates a property, for every strategy. Run it
// with -v -seeds 20 -budget 20000 for figures worth quoting.
func TestExecutionsToTheMistake(t *testing.T) {
	for _, target := range []target{isolations(replog.Buggy(), 4, 4), isolations(cassandra.Buggy(), 8, 6), staleTerms(false), gaps(false), lateRelease(false)} {
		for _, strategy := range strategies.Names() {
			if *only != "" && strategy != *only || !offers(target, strategy) {
				continue
			}
			var all []int
			missed := 0
			for seed := *from; seed < *from+*seeds; seed++ {
				r, err := find(context.Background(), strategy, keptBy(strategy, target), search.Options{Seed: seed, Executions: *budget, Whole: true})
				require.NoError(t, err)
				if r.Verdict != result.Violated {
					missed++
				}
				all = append(all, r.Search.Executions)
			}
			slices.Sort(all)
			note := ""
			if missed > 0 {
				note = fmt.Sprintf(", not found in %d of %d searches", missed, *seeds)
			}
			t.Logf("%-14s d=%2d %-10s median %5d, most %5d%s", target.System.Name, target.Bounds.Isolations, strategy, all[len(all)/2], all[len(all)-1], note)
		}
	}
}
