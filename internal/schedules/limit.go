package schedules

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// Limit is a constraint that a schedule within bounds meets: at most so many of
// these units.
type Limit struct {
	Units  []int
	AtMost int
}

// Limits returns the constraints of the bounds, those that say something. Where
// there are restarts the units of each Chain come in turn besides.
func (u *Universe) Limits() []Limit {
	var limits []Limit
	for i := range u.sections {
		switch i {
		case crashes:
			limits = append(limits, u.limitsOfCrashes()...)
		case isolations, omissions, pauses, partitions, fast, slow, jumps, syncs, delays, duplicates, orders, cuts, chosen:
			s := &u.sections[i]
			slots, units := u.limitsOfSlots(s)
			limits = append(limits, slots...)
			if s.budget != rounds.Unlimited && s.budget < s.slots() {
				limits = append(limits, Limit{units, s.budget})
			}
		case restarts:
			s := &u.sections[i]
			if s.last > 0 && s.budget != rounds.Unlimited && s.budget < s.len() {
				limits = append(limits, Limit{run(s.first, s.len()), s.budget})
			}
		}
	}
	return append(append(append(append(limits, u.limitOfParted()...), u.limitsOfClocks()...), u.limitsOfLate()...), u.limitOfJoins()...)
}

// limitsOfSlots returns those of the slots that have several units, and all units.
func (u *Universe) limitsOfSlots(s *section) (limits []Limit, units []int) {
	for i := range s.slots() {
		slot := s.slot(i).appendTo(nil)
		units = append(units, slot...)
		if len(slot) > 1 {
			limits = append(limits, Limit{slot, 1})
		}
	}
	slices.Sort(units)
	return limits, units
}

// limitsOfCrashes returns those of the crashes of each process, where it does not
// come back, and of all.
func (u *Universe) limitsOfCrashes() (limits []Limit) {
	var all []int
	for p := range u.n {
		one := u.crashesOf(p)
		if all = append(all, one...); len(one) > 1 && u.sections[restarts].last == 0 {
			limits = append(limits, Limit{one, 1})
		}
	}
	slices.Sort(all)
	most := u.sections[crashes].width
	if u.sections[restarts].last > 0 {
		most = len(all)
	}
	if budget := u.bounds.Crashes; budget != rounds.Unlimited && budget < most && len(all) > 0 {
		limits = append(limits, Limit{all, budget})
	}
	return limits
}

// crashesOf returns all units of the crash of a process, sorted.
func (u *Universe) crashesOf(p int) []int {
	if u.sections[points].last == 0 && u.sections[disks].last == 0 {
		return u.sections[crashes].untilOf(nil, p, u.bounds.EOT)
	}
	var units []int
	for _, moment := range u.Chain(p) {
		if moment.Kind == rounds.Crash {
			units = append(units, moment.Units...)
		}
	}
	slices.Sort(units)
	return units
}

// limitOfParted returns that of isolations and partitions together.
func (u *Universe) limitOfParted() []Limit {
	one, both := &u.sections[isolations], &u.sections[partitions]
	if both.last == 0 || one.budget == rounds.Unlimited || one.budget >= one.slots()+both.slots() {
		return nil
	}
	return []Limit{{append(run(one.first, one.len()), run(both.first, both.len())...), one.budget}}
}

// limitsOfClocks returns those of clocks that run either fast or slow.
func (u *Universe) limitsOfClocks() (limits []Limit) {
	one, other := &u.sections[fast], &u.sections[slow]
	if one.last == 0 || other.last == 0 {
		return nil
	}
	for i := range one.slots() {
		limits = append(limits, Limit{other.slot(i).appendTo(one.slot(i).appendTo(nil)), 1})
	}
	return limits
}

// limitsOfLate returns those of what is lost, which comes neither late nor twice.
func (u *Universe) limitsOfLate() (limits []Limit) {
	lost := &u.sections[omissions]
	if lost.last == 0 {
		return nil
	}
	for _, row := range [...]int{delays, duplicates} {
		s := &u.sections[row]
		for i := range s.slots() {
			limits = append(limits, Limit{s.slot(i).appendTo(lost.slot(i).appendTo(nil)), 1})
		}
	}
	return limits
}

// run returns so many numbers from one on.
func run(first, count int) []int { return slot{first, 1, count}.appendTo(nil) }
