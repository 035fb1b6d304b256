package ldfi

import (
	"math/bits"
	"slices"

	"github.com/lineage-driven/ldfi/internal/universe"
)

// Small sets of fault units are tried one and all, 64 at a time, as long as that
// is likely to cost less than the solver would. Costs are in nanoseconds, more or
// less, so that no verdict depends on the speed of the machine.
const (
	costOfSet  = 16 // to put a set together
	thriftGate = 500
	spreeGate  = 10_000
)

// smallest tries the sets of fault units in order of size, and among those of
// one size in the order of their units. It returns the first that breaks the
// promise, and whether all sets have been tried if none does. A known set is one
// that breaks the promise; it may be nil.
func (b *batch) smallest(known []int) (units []int, found, all bool) {
	// The solver takes longer the more gates there are, and longer again to
	// prove that a set it knows is a smallest one.
	thrift := float64(thriftGate * b.words.Gates())
	spree := float64(spreeGate * b.words.Gates())
	cost := 0.0
	most := b.question.mostFaults()
	for size := 0; size <= most; size++ {
		cost += b.cost(size)
		if cost > thrift && (size > len(known) || cost > spree) {
			return nil, false, false
		}
		if units, found = b.firstOf(size); found {
			return units, true, false
		}
	}
	return nil, false, true
}

// cost is what it takes to try all sets of a size.
func (b *batch) cost(size int) float64 {
	sets := 1.0
	for i := range size {
		sets *= float64(len(b.number)-i) / float64(i+1)
	}
	return sets*costOfSet + sets/64*float64(b.words.Gates())
}

// firstOf returns the first set of a size that breaks the promise.
func (b *batch) firstOf(size int) (units []int, found bool) {
	sets := make([]int, 0, 64*size) // one after the other
	n := 0
	try := func() bool {
		hits := b.evalLoaded(n)
		if found = hits != 0; found {
			first := bits.TrailingZeros64(hits) * size
			units = sets[first : first+size]
		}
		sets, n = sets[:0], 0
		return found
	}
	for set := range subsets(len(b.number), size) {
		b.load(n, set)
		sets = append(sets, set...)
		if n++; n == 64 && try() {
			return units, true
		}
	}
	if n > 0 {
		try()
	}
	return units, found
}

// mostFaults is a number of fault units that no schedule within the bounds
// exceeds.
func (q *question) mostFaults() int {
	limits := q.graph.Universe.Limits()
	slices.SortStableFunc(limits, func(a, b universe.Limit) int { return len(b.Units) - len(a.Units) })
	limited := make([]bool, len(q.graph.Inputs))
	most := len(limited)
	for _, limit := range limits {
		if slices.ContainsFunc(limit.Units, func(unit int) bool { return limited[unit] }) {
			continue
		}
		for _, unit := range limit.Units {
			limited[unit] = true
		}
		most += min(limit.AtMost, len(limit.Units)) - len(limit.Units)
	}
	return most
}
