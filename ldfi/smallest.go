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
	most, chosen := b.question.most(b.question.units.faults), b.question.most(b.question.units.choices)
	knows := len(b.question.struck(known))
	for size := 0; size <= most; size++ {
		for choices := 0; choices <= chosen; choices++ {
			cost += b.cost(size, choices)
			if cost > thrift && (size > knows || cost > spree) {
				return nil, false, false
			}
			if units, found = b.firstOf(size, choices); found {
				return units, true, false
			}
		}
	}
	return nil, false, true
}

// cost is what it takes to try all sets of so many faults and choices.
func (b *batch) cost(faults, choices int) float64 {
	sets := 1.0
	for i := range faults {
		sets *= float64(len(b.question.units.faults)-i) / float64(i+1)
	}
	for i := range choices {
		sets *= float64(len(b.question.units.choices)-i) / float64(i+1)
	}
	return sets*costOfSet + sets/64*float64(b.words.Gates())
}

// firstOf returns the first set of so many faults and choices that breaks the promise.
func (b *batch) firstOf(faults, choices int) (units []int, found bool) {
	size := faults + choices
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
	for set := range b.question.units.sets(faults, choices) {
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

// sets yields the sets of so many faults and choices, in order. What it yields is
// valid until the next.
func (k kinds) sets(faults, choices int) func(yield func([]int) bool) {
	return func(yield func([]int) bool) {
		set := make([]int, faults+choices)
		for struck := range subsets(len(k.faults), faults) {
			for i, n := range struck {
				set[i] = k.faults[n]
			}
			if choices == 0 {
				if !yield(set) {
					return
				}
				continue
			}
			for chosen := range subsets(len(k.choices), choices) {
				for i, n := range chosen {
					set[faults+i] = k.choices[n]
				}
				if !yield(set) {
					return
				}
			}
		}
	}
}

// most is a number of some units, all faults or all choices, that no schedule within
// the bounds exceeds.
func (q *question) most(units []int) int {
	if len(units) == 0 {
		return 0
	}
	limits := q.graph.Universe.Limits()
	slices.SortStableFunc(limits, func(a, b universe.Limit) int { return len(b.Units) - len(a.Units) })
	limited := make([]bool, len(q.graph.Inputs))
	most := len(units)
	for _, limit := range limits {
		if _, among := slices.BinarySearch(units, limit.Units[0]); !among {
			continue
		}
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
