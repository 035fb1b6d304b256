package schedules

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// few is the number of faults that Random takes to be few.
const few = 4

// Random returns a random schedule within the bounds, in normal form. For each kind of
// fault it draws a small number as often as any number within the budget, because most
// mistakes need few faults. Every other restart is soon: see Soon.
func (u *Universe) Random(r Numbers) rounds.Schedule {
	if u.meeting == nil {
		return u.random(r)
	}
	return u.Meet(r, func() rounds.Schedule { return u.random(r) })
}

func (u *Universe) random(r Numbers) rounds.Schedule {
	units := u.randomDowns(r)
	downs, beside := len(units), 0 // partitions, which take from the budget of isolations
	if s := &u.sections[partitions]; s.last > 0 {
		units = u.randomSlots(r, s, s.budget, units)
		beside = len(units) - downs
	}
	for _, i := range []int{isolations, omissions, pauses} {
		s := &u.sections[i]
		budget := s.budget
		if i == isolations && budget != rounds.Unlimited {
			budget -= beside
		}
		units = u.randomSlots(r, s, budget, units)
	}
	units = u.randomLate(r, u.randomClocks(r, units))
	for _, i := range []int{jumps, syncs, ended, cuts, orders, chosen} {
		if s := &u.sections[i]; s.last > 0 {
			units = u.randomSlots(r, s, s.budget, units)
		}
	}
	if u.every > 1 { // restarts are with phases
		return u.scheduleOf(units)
	}
	return Soon(r, u.scheduleOf(u.living(units)), func() bool { return r.IntN(2) == 0 })
}

// randomSlots appends any units of few or any slots of a kind of fault.
func (u *Universe) randomSlots(r Numbers, s *section, budget int, units []int) []int {
	count := s.slots()
	for _, i := range Sample(r, count, number(r, budget, count)) {
		slot := s.slot(i)
		units = append(units, slot.unit(r.IntN(slot.size)))
	}
	return units
}

// randomClocks appends clocks that run fast and slow; a slot has at most one.
func (u *Universe) randomClocks(r Numbers, units []int) []int {
	one, other := &u.sections[fast], &u.sections[slow]
	switch {
	case one.last == 0 && other.last == 0:
		return units
	case one.last == 0:
		return u.randomSlots(r, other, other.budget, units)
	case other.last == 0:
		return u.randomSlots(r, one, one.budget, units)
	}
	count := one.slots()
	ahead := number(r, one.budget, count)
	behind := min(number(r, other.budget, count), count-ahead)
	return useClocks(r, u, Sample(r, count, ahead+behind), ahead, units)
}

// useClocks appends a unit for each slot: ahead of them, at random, are fast.
func useClocks(r Numbers, u *Universe, slots []int, ahead int, units []int) []int {
	which := make([]int, len(slots))
	for _, i := range Sample(r, len(slots), ahead) {
		which[i] = 1
	}
	for i, n := range slots {
		s := &u.sections[slow]
		if which[i] == 1 {
			s = &u.sections[fast]
		}
		slot := s.slot(n)
		units = append(units, slot.unit(r.IntN(slot.size)))
	}
	return units
}

// number returns how many slots to use, of count.
func number(r Numbers, budget, count int) int {
	if budget != rounds.Unlimited {
		count = min(count, budget)
	}
	if r.IntN(2) == 0 {
		count = min(count, few)
	}
	return r.IntN(count + 1)
}

// randomDowns returns crashes and restarts. It draws the number of each, the processes, and
// the rounds.
func (u *Universe) randomDowns(r Numbers) (units []int) {
	able := &u.sections[crashes]
	count := able.width
	if able.last == 0 {
		count = 0
	}
	if u.sections[restarts].last == 0 {
		for _, i := range Sample(r, count, number(r, u.bounds.Crashes, count)) {
			units = append(units, u.anyCrash(r, able.target(i)))
		}
		return units
	}
	for i, l := range u.randomLives(r, count) {
		p := able.target(i)
		all := endsOf(l, len(u.points(p)))
		e := all[r.IntN(len(all))]
		for e.ways(u.lifetime(p)).Sign() == 0 { // too many for so few rounds
			e = ends{life: life{e.restarts - 1, e.down}, points: e.points}
		}
		units = append(units, u.chain(r, p, e)...)
	}
	return units
}

// randomLives returns the life of each of n processes. Each restart strikes a random
// process, so a process may go down several times.
func (u *Universe) randomLives(r Numbers, n int) []life {
	lives := make([]life, n)
	crashes := number(r, u.bounds.Crashes, 2*n)
	most := crashes
	if u.bounds.Restarts != rounds.Unlimited {
		most = min(most, u.bounds.Restarts)
	}
	least := max(crashes-n, 0) // no more processes can be down in the end than there are
	again := min(least, most)
	if least < most {
		again += r.IntN(most - least + 1)
	}
	for range again {
		lives[r.IntN(n)].restarts++
	}
	for _, i := range Sample(r, n, min(crashes-again, n)) {
		lives[i].down = 1
	}
	return lives
}

// soon is the number of rounds in which a soon restart can come: the round of the crash or
// one of the next two, each a round later after a crash at a point within a round.
const soon = 3

// Soon moves the restarts for which the function which returns true close to their
// crashes: many mistakes need quick restarts, and few random restarts are quick.
// Earlier restarts stay.
func Soon(r Numbers, s rounds.Schedule, which func() bool) rounds.Schedule {
	for i := range s.Faults {
		f := &s.Faults[i]
		if f.Kind != rounds.Restart || !which() {
			continue
		}
		first := 1
		for _, g := range s.Faults {
			if g.Kind == rounds.Crash && g.Process == f.Process && Instant(g) < Instant(*f) {
				first = max(first, (Instant(g)+1)/3)
			}
		}
		f.Round = min(f.Round, first+r.IntN(soon))
	}
	slices.SortFunc(s.Faults, rounds.Fault.Compare)
	return s
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

// MoreTicks returns the number of additional ticks (negative: lost ones) that the timers of
// a process get in a round with the given number of ticks. The clock is 1 if it runs fast,
// -1 if slow, 0 if right, and jump is the number of rounds by which it jumps ahead at the
// start of the round.
//
// A fast clock ticks twice as often. A slow one ticks half as often: if a round has an odd
// number of ticks, odd rounds lose one more tick than even ones; with one tick a round, all
// ticks of odd rounds are lost. Odd and even refer to the rounds of the execution, not of
// the fault, so that two consecutive faults are the same as one. A clock that jumps ahead
// by n rounds makes up for the ticks of n rounds at once.
func MoreTicks(ticks, clock, jump, round int) int {
	more := jump * ticks
	switch {
	case clock > 0:
		more += ticks
	case clock < 0 && round%2 == 1:
		more -= ticks - ticks/2
	case clock < 0:
		more -= ticks / 2
	}
	return more
}
