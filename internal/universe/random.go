package universe

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// few is the number of faults that Random takes to be few.
const few = 4

// Random returns a schedule within the bounds, in normal form. Of each kind of
// fault it has few as often as any number within the budget, because most
// mistakes show with few.
func (u *Universe) Random(r Numbers) rounds.Schedule {
	var units []int
	for i := range u.sections {
		s := &u.sections[i]
		if s.needs >= 0 {
			units = append(units, u.randomWithNeeds(r, s, units)...)
			continue
		}
		count := s.slots()
		for _, i := range Sample(r, count, u.number(r, s, count)) {
			slot := s.slot(i)
			units = append(units, slot.unit(r.IntN(slot.size)))
		}
	}
	return u.scheduleOf(units)
}

// randomWithNeeds returns units on some of the targets that have what they
// need: restarts of some of the processes that crash.
func (u *Universe) randomWithNeeds(r Numbers, s *section, units []int) []int {
	if s.last == 0 {
		return nil
	}
	var able []int
	for target := range s.width {
		if u.before(s, units, target) < s.last {
			able = append(able, target)
		}
	}
	var more []int
	for _, i := range Sample(r, len(able), u.number(r, s, len(able))) {
		before := u.before(s, units, able[i])
		more = append(more, s.unit(able[i], before+1+r.IntN(s.last-before)))
	}
	return more
}

// number returns how many of count slots of a kind of fault to use.
func (u *Universe) number(r Numbers, s *section, count int) int {
	if s.budget != rounds.Unlimited {
		count = min(count, s.budget)
	}
	if r.IntN(2) == 0 {
		count = min(count, few)
	}
	return r.IntN(count + 1)
}

// Sample returns count different numbers below n, each set of them as likely as
// any other, without going through all n (Floyd's algorithm). Their order is not
// random.
func Sample(r Numbers, n, count int) []int {
	chosen := make([]int, 0, count)
	var seen map[int]bool
	if count > fewToScan {
		seen = make(map[int]bool, count)
	}
	for top := n - count; top < n; top++ {
		i := r.IntN(top + 1)
		if seen[i] || seen == nil && slices.Contains(chosen, i) {
			i = top
		}
		if seen != nil {
			seen[i] = true
		}
		chosen = append(chosen, i)
	}
	return chosen
}

// fewToScan numbers are found in a slice sooner than in a map.
const fewToScan = 32
