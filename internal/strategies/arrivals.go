package strategies

import "slices"

// arrivals is a set of messages by their number.
type arrivals []uint64

// add returns the set with i added.
func (a arrivals) add(i int) arrivals {
	for len(a) <= i/64 {
		a = append(a, 0)
	}
	a[i/64] |= 1 << (i % 64)
	return a
}

// within tells whether b has all of the set.
func (a arrivals) within(b arrivals) bool {
	for i, word := range a {
		if i >= len(b) && word != 0 || i < len(b) && word&^b[i] != 0 {
			return false
		}
	}
	return true
}

// all returns the members in their order.
func (a arrivals) all() (members []int) {
	for i, word := range a {
		for bit := range 64 {
			if word>>bit&1 == 1 {
				members = append(members, 64*i+bit)
			}
		}
	}
	return members
}

// maxSupports limits the supports that are kept of one event.
const maxSupports = 8

// smallest adds more to sets, unless more contains one of them, and removes the sets that
// contain more. No set contains another.
func smallest(sets []arrivals, more arrivals) ([]arrivals, bool) {
	for _, s := range sets {
		if s.within(more) {
			return sets, false
		}
	}
	sets = slices.DeleteFunc(sets, more.within)
	if len(sets) == maxSupports {
		return sets, false
	}
	return append(sets, slices.Clone(more)), true
}
