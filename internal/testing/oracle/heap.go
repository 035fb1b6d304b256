package oracle

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// Heap follows how much memory is in use during a long run.
type Heap struct {
	steps int
	marks []heapMark
}

type heapMark struct {
	step    int
	bytes   uint64
	objects uint64
}

// NewHeap returns a heap for a run of so many steps.
func NewHeap(steps int) *Heap { return &Heap{steps: steps} }

// At says how many steps are done. It looks at what is in use, after the garbage
// is collected, at a tenth of the run, in its middle, and at its end.
func (h *Heap) At(step int) {
	next := []int{h.steps / 10, h.steps / 2, h.steps}
	if len(h.marks) == len(next) || step < next[len(h.marks)] {
		return
	}
	runtime.GC()
	runtime.GC() // what pools held on to, too
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	h.marks = append(h.marks, heapMark{step, m.HeapAlloc, m.HeapObjects})
}

// RequireFlat fails a test if there is more at the end of the run than at a tenth
// of it, but for what a runtime needs for itself.
func (h *Heap) RequireFlat(t *testing.T) {
	t.Helper()
	for _, m := range h.marks {
		t.Logf("in use after %d steps: %s", m.step, m)
	}
	require.Len(t, h.marks, 3, "the run ended before its end")
	const slack, slackObjects = 512 << 10, 4000
	first, last := h.marks[0], h.marks[2]
	require.LessOrEqual(t, last.bytes, first.bytes+slack, "memory grows")
	require.LessOrEqual(t, last.objects, first.objects+slackObjects, "memory grows")
}

func (m heapMark) String() string { return fmt.Sprintf("%d kB in %d objects", m.bytes>>10, m.objects) }
