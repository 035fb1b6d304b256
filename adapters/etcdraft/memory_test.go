package etcdraft_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// A search needs no more memory after many executions than after a few. With
// -long N there are N of them.
func TestMemory(t *testing.T) {
	executions := max(*long, 1000)
	heap := oracle.NewHeap(executions)
	bounds := rounds.Bounds{Isolations: 3, Period: 10, Crashes: 1, Restarts: 1, Pauses: 1}
	r, err := search.Run(t.Context(), cluster.Busy(), search.Options{
		Strategy: "spread", Bounds: bounds, Seed: 1, Executions: executions, Workers: 1,
		Progress: func(p result.Progress) { heap.At(p.Executions) },
	})
	require.NoError(t, err)
	require.Equal(t, executions, r.Search.Executions, "%v", r)
	heap.RequireFlat(t)
}
