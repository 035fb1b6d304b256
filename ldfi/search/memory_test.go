package search_test

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// A search leaves the garbage collector of its program as it is: neither its
// settings are changed, nor is memory reserved.
func TestGarbageCollectorStays(t *testing.T) {
	percent, limit := debug.SetGCPercent(90), debug.SetMemoryLimit(-1)
	defer debug.SetGCPercent(percent)
	before := inUse()
	_, err := search.Run(t.Context(), election.Fixed(), search.Options{Bounds: rounds.Bounds{Isolations: 1, Period: 2}})
	require.NoError(t, err)
	require.Less(t, inUse(), before+16<<20)
	require.Equal(t, 90, debug.SetGCPercent(90))
	require.Equal(t, limit, debug.SetMemoryLimit(-1))
}

func inUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
