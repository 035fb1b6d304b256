package universe

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/links"
	"github.com/lineage-driven/ldfi/rounds"
)

// Universe numbers the units of fault that are possible within bounds: one
// crash of a process in a round, one isolation of a process from a round to the
// end of its phase, one omission, one restart of a process in a round, one pause
// like an isolation. A schedule within the bounds is a set of units that keeps
// the Limits and has what its units Need.
type Universe struct {
	bounds   rounds.Bounds
	index    map[string]int // of a process
	n        int            // processes
	reliable links.Set      // links on which faults lose nothing but by a crash
	sections []section      // of kinds, and in their order
}

// New returns the units of the bounds, which have to be valid.
func New(b rounds.Bounds) *Universe {
	b = b.Normal()
	u := &Universe{bounds: b, index: indexOf(b.Processes), n: len(b.Processes), sections: make([]section, len(kinds))}
	u.reliable, _ = links.Of(b.Processes, b.Reliable)
	next := 0
	for i := range kinds {
		k := &kinds[i]
		s := section{kind: k, first: next, period: k.period(b), budget: b.Budget(k.kind)}
		s.targets, s.width = u.targets(k)
		if k.possible(b) && s.width > 0 {
			s.last = k.last(b)
		}
		u.sections[i] = s
		next += s.len()
	}
	return u
}

// indexOf returns the index of each process.
func indexOf(processes []string) map[string]int {
	index := make(map[string]int, len(processes))
	for i, name := range processes {
		index[name] = i
	}
	return index
}

// Bounds returns the bounds of the universe in normal form.
func (u *Universe) Bounds() rounds.Bounds { return u.bounds }

// Len returns the number of units.
func (u *Universe) Len() int {
	last := &u.sections[len(u.sections)-1]
	return last.first + last.len()
}

// sectionOf returns the section of a unit.
func (u *Universe) sectionOf(unit int) *section {
	i := 0
	for unit >= u.sections[i].first+u.sections[i].len() {
		i++
	}
	return &u.sections[i]
}

// link returns the number of a link from one process to another, and ends the
// processes of a link.
func (u *Universe) link(from, to int) int {
	if to > from {
		to--
	}
	return from*(u.n-1) + to
}

func (u *Universe) ends(link int) (from, to int) {
	from, to = link/(u.n-1), link%(u.n-1)
	if to >= from {
		to++
	}
	return from, to
}

// Fault returns a unit as a fault.
func (u *Universe) Fault(unit int) rounds.Fault {
	s := u.sectionOf(unit)
	number, round := s.place(unit)
	target := s.target(number)
	f := rounds.Fault{Kind: s.kind.kind, Round: round}
	if s.links {
		from, to := u.ends(target)
		f.To, target = u.bounds.Processes[to], from
	}
	f.Process = u.bounds.Processes[target]
	if s.lasts {
		f.Until = s.phaseOf(round).last
	}
	return f
}

// Index returns the unit of a fault, and false if it is no unit of the
// universe.
func (u *Universe) Index(f rounds.Fault) (int, bool) {
	i := slices.IndexFunc(u.sections, func(s section) bool { return s.kind.kind == f.Kind })
	if i < 0 || f.Round < 1 || f.Round > u.sections[i].last {
		return 0, false
	}
	s := &u.sections[i]
	target, ok := u.index[f.Process]
	if ok && s.links {
		var to int
		to, ok = u.index[f.To]
		ok = ok && to != target
		target = u.link(target, to)
	}
	if !ok || s.lasts && max(f.Until, f.Round) != s.phaseOf(f.Round).last {
		return 0, false
	}
	number, ok := s.number(target)
	return s.unit(number, f.Round), ok
}

// Crashes returns the units of the crash of a process, that in round r at
// element r-1; nil if it cannot crash.
func (u *Universe) Crashes(p int) []int { return u.sections[0].untilOf(nil, p, u.bounds.EOT) }

// Losing returns the units any of which loses what from sends to to in a round,
// as Environment.Delivers has it: a sender of -1 is nobody. A crash does so
// unless there is a restart in between.
func (u *Universe) Losing(from, to, round int) []int {
	var units []int
	for i := range u.sections {
		if s := &u.sections[i]; s.last > 0 && s.losing != nil {
			units = s.losing(u, s, units, from, to, round)
		}
	}
	return units
}

// Limit is a constraint that a schedule within bounds meets: at most so many of
// these units.
type Limit struct {
	Units  []int
	AtMost int
}

// Needs returns units of which a schedule with this unit has to have one, nil if
// it can stand alone: for a restart the crashes of the process until then.
func (u *Universe) Needs(unit int) []int {
	s := u.sectionOf(unit)
	if s.needs < 0 {
		return nil
	}
	target, round := s.place(unit)
	return u.sections[s.needs].until(nil, target, round)
}

// Limits returns the constraints of the bounds, those that say something.
func (u *Universe) Limits() []Limit {
	var limits []Limit
	for i := range u.sections {
		s := &u.sections[i]
		count := s.slots()
		var units []int
		for i := range count {
			slot := s.slot(i).appendTo(nil)
			units = append(units, slot...)
			if len(slot) > 1 {
				limits = append(limits, Limit{slot, 1})
			}
		}
		if most := s.budget; most != rounds.Unlimited && most < count {
			slices.Sort(units)
			limits = append(limits, Limit{units, most})
		}
	}
	return limits
}

// Schedule returns the schedule of the units that are on, in normal form.
func (u *Universe) Schedule(on func(unit int) bool) rounds.Schedule {
	var units []int
	for unit := range u.Len() {
		if on(unit) {
			units = append(units, unit)
		}
	}
	return u.scheduleOf(units)
}

// scheduleOf returns the schedule of some units in normal form.
func (u *Universe) scheduleOf(units []int) rounds.Schedule {
	faults := slices.Grow([]rounds.Fault(nil), len(units))
	for _, unit := range units {
		faults = append(faults, u.Fault(unit))
	}
	slices.SortFunc(faults, rounds.Fault.Compare)
	return rounds.Schedule{Faults: faults}
}
