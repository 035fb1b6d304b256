package etcdraft_test

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcdraft"
	"github.com/lineage-driven/ldfi/adapters/etcdraft/published"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// twoLeaders searches by waypoints, and returns after how many executions something was found; 0: nothing was.
func twoLeaders(t *testing.T, s *system.System, seed uint64, most int) int {
	t.Helper()
	const file = "published/two_leaders.mg"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	g, err := guide.Parse(file, string(text))
	require.NoError(t, err)
	a, err := search.Run(t.Context(), s, search.Options{Strategy: "ahead", Guide: g, Bounds: s.Faults, Seed: seed, Executions: most})
	require.NoError(t, err)
	if a.Verdict != result.Violated {
		return 0
	}
	require.Equal(t, "no panic", a.First().Violations[0].Property)
	return a.Search.Executions
}

// A search that goes on from where two lead at once finds a leader that needs a snapshot that nobody has. Where the
// HardState is stored there is nothing to find.
func TestTwoLeaders(t *testing.T) {
	require.Positive(t, twoLeaders(t, published.NilSnapshot(), 6, 200))
	require.Zero(t, twoLeaders(t, published.Stored(), 6, 200))
}

// Writes after how many executions the panic is found.
func TestFiguresOfPanic(t *testing.T) {
	if etcdraft.Figures() == 0 {
		t.Skip("takes a minute of a processor: -args -figures 10")
	}
	const seeds, most = 20, 3000
	var all []int
	found := 0
	for seed := range uint64(seeds) {
		n := twoLeaders(t, published.NilSnapshot(), seed+1, most)
		if n == 0 {
			n = most
		} else {
			found++
		}
		all = append(all, n)
	}
	slices.Sort(all)
	etcdraft.WriteSections(t, etcdraft.GuidedPage, fmt.Sprintf(`## Table 4.7: NilSnapshotPanic

By [waypoints](../../adapters/etcdraft/published/two_leaders.mg), `+"`ahead`"+` finds it with %d of %d seeds within %d
executions. The median is %d (%d–%d). Published: 0.3 of 10,000.
`, found, seeds, most, (all[9]+all[10])/2, (all[4]+all[5])/2, (all[14]+all[15])/2))
	t.Log(all)
}
