package tabular_test

import (
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/strategies/tabular"
	"github.com/stretchr/testify/require"
)

// Executions go on from the farthest waypoint mostly, and once the target was reached from the
// states behind it: from those that were visited least, by the shortest way.
func TestArchive(t *testing.T) {
	r, a := rand.New(rand.NewPCG(1, 0)), tabular.NewArchive[string](3)
	chosen := func() map[string]int {
		counts := map[string]int{}
		for range 1000 {
			if it, ok := a.Choose(r); ok {
				counts[it]++
			}
		}
		return counts
	}
	require.Empty(t, chosen())
	a.Reach(1, 2, "near")
	require.Equal(t, map[string]int{"near": 1000}, chosen())
	a.Reach(2, 4, "far")
	require.Greater(t, chosen()["far"], 800)

	visit := func(state string, length int) { a.Visit(state, length, func() string { return state }) }
	visit("first", 6)
	visit("late", 11)
	require.Greater(t, chosen()["first"], 600)
	require.Zero(t, chosen()["late"])
	visit("other", 8)
	for range 10_000 {
		visit("first", 7)
	}
	counts := chosen()
	require.Greater(t, counts["other"], 600)
	require.Less(t, counts["first"], 10)
	a.Visit("other", 7, func() string { return "shorter" })
	require.Greater(t, chosen()["shorter"], 600)
}

// What led to new states is taken most.
func TestKinds(t *testing.T) {
	r, k := rand.New(rand.NewPCG(1, 0)), tabular.NewKinds()
	lists := [][]string{{"crash"}, {"isolate"}, {"crash", "isolate"}, {}}
	taken := func() []int {
		counts := make([]int, len(lists))
		for i := range 4000 {
			if k.Accept(r, lists, i%4) {
				counts[i%4]++
			}
		}
		return counts
	}
	require.Equal(t, []int{1000, 1000, 1000, 0}, taken())
	for i := range 10_000 {
		k.Note("crash", i%4 == 0)
		k.Note("isolate", i%2 == 0)
	}
	counts := taken()
	require.InDelta(t, 250, counts[0], 50)
	require.Equal(t, 1000, counts[1])
	require.InDelta(t, 562, counts[2], 50)
	require.False(t, k.Accept(r, lists, 3))
	require.True(t, k.Accept(r, lists[3:], 0))
}
