package ldfi

import (
	"math/bits"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
)

// Small sets of fault units are tried one and all, 64 at a time, as long as that
// is likely to cost less than the solver would. Costs are in nanoseconds, more or
// less, so that no verdict depends on the speed of the machine.
const (
	costOfSet  = 16 // to put a set together
	thriftGate = 500
	spreeGate  = 10_000
)

// smallest tries the sets of units in their order: by the number of faults, by the faults,
// by the number of choices, by the choices. It returns the first wanted set; if none is
// found, all tells whether all sets have been tried. known is a wanted set, or nil.
func (b *batch) smallest(known []int) (units []int, found, all bool) {
	// The solver takes longer the more gates there are, and longer again to
	// prove that a set it knows is a smallest one.
	thrift := float64(thriftGate * b.words.Gates())
	spree := float64(spreeGate * b.words.Gates())
	cost := 0.0
	most, chosen := b.view.most(b.view.units.faults), b.view.most(b.view.units.choices)
	knows := len(b.view.struck(known))
	for size := 0; size <= most; size++ {
		cost += b.cost(size, chosen)
		if cost > thrift && (size > knows || cost > spree) {
			return nil, false, false
		}
		if units, found = b.firstOf(size, chosen); found {
			return units, true, false
		}
		b.view.known.atLeast(size + 1)
	}
	return nil, false, true
}

// cost is the cost of trying all sets with the given number of faults and at most the given
// number of choices.
func (b *batch) cost(faults, choices int) float64 {
	chosen, each := 1.0, 1.0
	for i := range choices {
		each *= float64(len(b.view.units.choices)-i) / float64(i+1)
		chosen += each
	}
	sets := chosen
	for i := range faults {
		sets *= float64(len(b.view.units.faults)-i) / float64(i+1)
	}
	return sets*costOfSet + sets/64*float64(b.words.Gates())
}

// firstOf returns the first wanted set with the given number of faults, and at most the
// given number of choices.
func (b *batch) firstOf(faults, choices int) (units []int, found bool) {
	sets := make([]int, 0, 64*(faults+choices)) // one after the other
	ends := make([]int, 1, 65)
	try := func() bool {
		hits := b.evalLoaded(len(ends) - 1)
		if found = hits != 0; found {
			first := bits.TrailingZeros64(hits)
			units = sets[ends[first]:ends[first+1]]
		}
		return found
	}
	for set := range b.view.units.sets(faults, choices) {
		b.load(len(ends)-1, set)
		sets = append(sets, set...)
		if ends = append(ends, len(sets)); len(ends) > 64 {
			if try() {
				return units, true
			}
			sets, ends = sets[:0], ends[:1]
		}
	}
	if len(ends) > 1 {
		try()
	}
	return units, found
}

// sets yields the sets with the given number of faults and at most the given number of
// choices, in order. A set is valid until the next one.
func (k kinds) sets(faults, choices int) func(yield func([]int) bool) {
	return func(yield func([]int) bool) {
		set := make([]int, 0, faults+choices)
		for struck := range subsets(len(k.faults), faults) {
			set = set[:0]
			for _, n := range struck {
				set = append(set, k.faults[n])
			}
			if choices == 0 {
				if !yield(set) {
					return
				}
				continue
			}
			for count := range choices + 1 {
				for chosen := range subsets(len(k.choices), count) {
					set = set[:faults]
					for _, n := range chosen {
						set = append(set, k.choices[n])
					}
					if !yield(set) {
						return
					}
				}
			}
		}
	}
}

// most is a number of some units, all free faults or all free choices, that no schedule
// exceeds.
func (v *view) most(units []int) int {
	limits := v.graph.Universe.Limits()
	slices.SortStableFunc(limits, func(a, b schedules.Limit) int { return len(b.Units) - len(a.Units) })
	limited := make([]bool, len(v.graph.Inputs))
	most := len(units)
	for _, limit := range limits {
		free, left := 0, limit.AtMost
		for _, unit := range limit.Units {
			if _, among := slices.BinarySearch(units, unit); among {
				free++
			} else if _, on := slices.BinarySearch(v.fixed, unit); on {
				left--
			}
		}
		if free <= left || slices.ContainsFunc(limit.Units, func(unit int) bool { return limited[unit] }) {
			continue
		}
		for _, unit := range limit.Units {
			limited[unit] = true
		}
		most += max(left, 0) - free
	}
	return most
}
