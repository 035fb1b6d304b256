package replog_test

import (
	"flag"
	"testing"

	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

var executions = flag.Int("executions", 2000, "how many TestMemory makes")

// A search needs no more memory after many executions than after a few.
func TestMemory(t *testing.T) {
	heap := oracle.NewHeap(*executions)
	bounds := rounds.Bounds{Isolations: 2, Period: 2, Crashes: 1}
	r, err := search.Run(t.Context(), replog.Fixed(), search.Options{Strategy: "spread", Bounds: bounds, Seed: 1, Executions: *executions, Workers: 1, Progress: func(p result.Progress) { heap.At(p.Executions) }})
	require.NoError(t, err)
	require.Equal(t, *executions, r.Search.Executions, "%v", r)
	heap.RequireFlat(t)
}
