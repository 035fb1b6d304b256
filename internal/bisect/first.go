package bisect

import (
	"context"

	"github.com/lineage-driven/ldfi/internal/limits"
)

// searchOneChange searches the first version of a history and the last, and then in
// between, halving the range in which the verdict changes, as git bisect does. Versions
// without a verdict are skipped.
func (m *matrix) searchOneChange(ctx context.Context, h history) {
	ends := []int{h.first, h.last}
	ctx = limits.DivideMemory(ctx, len(ends))
	parallel(len(ends), func(i int) { m.search(ctx, ends[i]) })
	m.replay(ctx)
	low := m.firstKnown(ctx, h, h.first, +1)
	high := m.firstKnown(ctx, h, h.last, -1)
	if low < 0 || high <= low || m.broken(low) == m.broken(high) {
		return
	}
	for ctx.Err() == nil {
		middle := m.middle(low, high)
		if middle < 0 {
			return
		}
		m.search(ctx, middle)
		m.replay(ctx)
		switch {
		case !m.Findings[middle].State.known():
		case m.broken(middle) == m.broken(low):
			low = middle
		default:
			high = middle
		}
	}
}

func (m *Matrix) broken(i int) bool { return m.Findings[i].State == Violated }

// firstKnown searches versions from an end until one has a verdict, and returns its index;
// -1 if none has.
func (m *matrix) firstKnown(ctx context.Context, h history, i, step int) int {
	for ; i >= h.first && i <= h.last && ctx.Err() == nil; i += step {
		if m.Findings[i].State == NotSearched {
			m.search(ctx, i)
			m.replay(ctx)
		}
		if m.Findings[i].State.known() {
			return i
		}
	}
	return -1
}

// middle returns the version between two that is not searched yet and nearest
// to the middle; -1 if there is none.
func (m *matrix) middle(low, high int) int {
	centre := (low + high) / 2
	for d := 0; d < high-low; d++ {
		for _, i := range []int{centre - d, centre + d} {
			if i > low && i < high && m.Findings[i].State == NotSearched {
				return i
			}
		}
	}
	return -1
}
