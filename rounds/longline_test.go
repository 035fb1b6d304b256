package rounds_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// Thousands of mistakes in one long line are told without reading all of the line
// for each of them: that took 12 s and gigabytes.
func TestMistakesInALongLine(t *testing.T) {
	p, err := dedalus.ParseText("x.ded", "// ldfi: "+strings.Repeat("a=b ", 20_000)+"\nviolation(X) :- n(X); n(\"a\")@1;\n")
	require.NoError(t, err)
	_, _, err = rounds.BoundsOf(p, nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	require.ErrorContains(t, err, `there is no setting "a"`)
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<30))
}
