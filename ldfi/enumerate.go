package ldfi

import (
	"math/bits"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// Small sets of fault units are tried one and all, 64 at a time, as long as that
// costs less than the solver would. The costs are in gates times words.
const (
	thrift = 1_000_000  // for sizes that may be in vain
	spree  = 40_000_000 // for sizes below that of a set that is known to break the promise
)

// smallest tries the sets of fault units in order of size, and among those of
// one size in the order of their units. It returns the first that breaks the
// promise, and whether all sets have been tried if none does. A known set is one
// that breaks the promise; it may be nil.
func (l *lanes) smallest(known []int) (units []int, found, all bool) {
	most := l.trial.mostFaults()
	cost := 0.0
	for size := 0; size <= most; size++ {
		cost += l.cost(size)
		if cost > thrift && (size > len(known) || cost > spree) {
			return nil, false, false
		}
		if units, found = l.firstOf(size); found {
			return units, true, false
		}
	}
	return nil, false, true
}

// cost is what it takes to try all sets of a size.
func (l *lanes) cost(size int) float64 {
	sets := 1.0
	for i := range size {
		sets *= float64(len(l.number)-i) / float64(i+1)
	}
	return (sets/64 + 1) * float64(l.words.Gates()+len(l.inputs)+64)
}

// firstOf returns the first set of a size that breaks the promise.
func (l *lanes) firstOf(size int) (units []int, found bool) {
	var lanes [64][]int
	n := 0
	try := func() bool {
		hits := l.eval(lanes[:n])
		n = 0
		if hits != 0 {
			units, found = lanes[bits.TrailingZeros64(hits)], true
		}
		return found
	}
	for set := range subsets(len(l.number), size) {
		lanes[n] = append(lanes[n][:0], set...)
		if n++; n == len(lanes) && try() {
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
func (t *trial) mostFaults() int {
	limits := t.graph.Universe.Limits()
	slices.SortStableFunc(limits, func(a, b rounds.Limit) int { return len(b.Units) - len(a.Units) })
	limited := make([]bool, len(t.graph.Inputs))
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
