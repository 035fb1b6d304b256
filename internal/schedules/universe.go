package schedules

import (
	"fmt"
	"slices"
	"sync"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
)

// Universe numbers the units of fault that are possible within bounds: one
// crash of a process in a round, or at a point within it, one isolation of a
// process from a round to the end of its phase, one omission, one restart of a
// process in a round, one pause, partition, cut, fast or slow clock like an isolation, one
// jump or failed sync of a process in a round. Behind them are the facts that the
// environment can choose, which are no faults. A schedule within
// the bounds is a set of units that keeps the Limits, and in which the units of
// each Chain come in turn.
type Universe struct {
	asked    rounds.Bounds // the bounds as given
	every    int           // of how many of their rounds a round of units is: see inPhases
	bounds   rounds.Bounds
	index    map[string]int  // of a process
	n        int             // processes
	reliable syntax.LinkSet  // links on which faults lose nothing but by a crash
	outcomes int             // of each crash, of a disk
	before   []int           // by process, the crashes in a round at points of earlier processes; and of all
	ofKinds  []string        // kinds of messages that faults of links can hit alone
	single   []rounds.Fault  // by the last of these: of which of several messages of a kind they speak
	sections []section       // of kinds, and in their order
	dead     []bool          // units that would strike a process before it joins; nil: there are none
	meeting  *meeting        // nil: the bounds have no assumptions about the messages of a round
	granted  func() *granted // counts and draws within the assumptions; nil if this is impossible

	alternatives []rounds.Fault // that the environment can choose
	alternative  map[rounds.Fault]int
}

// New returns the units of the bounds, which have to be valid.
func New(b rounds.Bounds) *Universe { return NewSingle(b, nil) }

// Single is the kind of one of several messages of a kind, for a universe of NewSingle. The kinds of programs are names
// of relations, which have no "#".
func Single(kind string, nth int) string { return fmt.Sprintf("%s#%d", kind, nth) }

// NewSingle is New with faults that hit one of several messages of a kind alone, of any link in any round: those of
// the kinds and numbers of single.
func NewSingle(b rounds.Bounds, single []rounds.Fault) *Universe {
	asked := b.Normal()
	b, every := inPhases(asked)
	u := &Universe{asked: asked, every: every, bounds: b, index: indexOf(b.Processes), n: len(b.Processes), outcomes: 1, before: []int{0}, sections: make([]section, len(kinds))}
	if b.Disks {
		u.outcomes = len(outcomes)
	}
	for p, name := range b.Processes {
		u.before = append(u.before, u.before[p]+len(b.Points[name])*u.outcomes)
	}
	u.reliable, _ = syntax.Links(b.Processes, b.Reliable)
	u.ofKinds = slices.Clip(b.Kinds)
	for _, f := range single {
		if of := (rounds.Fault{Of: f.Of, Nth: f.Nth}); f.Nth > 0 && !slices.Contains(u.single, of) {
			u.single, u.ofKinds = append(u.single, of), append(u.ofKinds, Single(f.Of, f.Nth))
		}
	}
	u.addAlternatives()
	next := 0
	for i := range kinds {
		k := &kinds[i]
		s := section{kind: k, first: next, period: k.period(b), from: 1, steps: 1, budget: b.Budget(k.kind)}
		s.targets, s.width = u.targets(k)
		if k.possible(b) && s.width > 0 {
			s.last = k.last(b)
		}
		if k.ofLinks() {
			s.ways = 1 + len(u.ofKinds)
		}
		switch {
		case k.steps != nil: // which share a slot
			s.steps = k.steps(b)
			s.last, s.period = s.last*s.steps, s.steps
		case s.ways > 1 && !k.later: // so do they
			s.steps = s.ways
			s.last, s.period = s.last*s.steps, s.period*s.steps
		case k.later:
			s.startRounds(b)
		}
		switch {
		case k.once && s.last > 0:
			s.last, s.period, s.chosen = 1, 1, u.slotsOfChoices(next)
		case s.last > 0:
			s.begin(b.FirstFault())
		}
		u.sections[i] = s
		next += s.len()
	}
	u.sections[isolations].budget = plus(b.Isolations, b.Partitions)
	u.meeting = newMeeting(u)
	u.granted = sync.OnceValue(func() *granted { return newGranted(u) })
	u.joining()
	return u
}

// plus adds two budgets.
func plus(m, n int) int {
	if m == rounds.Unlimited || n == rounds.Unlimited {
		return rounds.Unlimited
	}
	return m + n
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
func (u *Universe) Bounds() rounds.Bounds { return u.asked }

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

// Fault returns the fault of unit.
func (u *Universe) Fault(unit int) rounds.Fault {
	s := u.sectionOf(unit)
	number, step := s.place(unit)
	round, by := s.roundOf(step)
	f := rounds.Fault{Kind: s.kind.kind, Round: round}
	way, by := s.wayOf(round, by)
	if way > 0 {
		f.Of = u.ofKinds[way-1]
		if i := way - 1 - len(u.ofKinds) + len(u.single); i >= 0 && len(u.single) > 0 {
			f.Of, f.Nth = u.single[i].Of, u.single[i].Nth
		}
	}
	if s.stepped() {
		f.By = by
	}
	s.domain.name(u, s.target(number), &f)
	if s.lasts {
		f.Until, _ = s.roundOf(s.phaseOf(step).last)
	}
	return u.inRounds(f)
}

// Index returns the unit of the fault f, and false if the universe has none.
func (u *Universe) Index(f rounds.Fault) (int, bool) {
	i := rowOf(f)
	if i < 0 {
		return 0, false
	}
	s := &u.sections[i]
	f, ok := u.inPhase(f)
	if !ok {
		return 0, false
	}
	step, ok := s.stepOf(u, f)
	if !ok {
		return 0, false
	}
	target, ok := s.domain.of(u, f)
	if !ok {
		return 0, false
	}
	if last, _ := s.roundOf(s.phaseOf(step).last); s.lasts && max(f.Until, f.Round) != last {
		return 0, false
	}
	number, ok := s.number(target)
	return s.unit(number, step), ok && u.Alive(s.unit(number, step))
}

// Crashes returns the units of the crashes of process p: element r-1 is the crash in
// round r, or -1 if there is none; nil if p cannot crash. Crashes at a point within a
// round, or with a disk that keeps unsynced data, are not among them.
//
// Where faults begin with phases, all rounds of a phase have the crash in the first.
func (u *Universe) Crashes(p int) []int {
	units := u.sections[crashes].untilOf(nil, p, u.bounds.LastFault())
	if u.every == 1 && u.bounds.FirstFault() == 1 && u.bounds.FaultFree == 0 || units == nil {
		return units
	}
	var all []int
	for round := 1; round <= u.asked.EOT; round++ {
		unit := -1
		if begun := u.phaseOf(round) - u.bounds.FirstFault(); begun >= 0 && begun < len(units) {
			unit = units[begun]
		}
		all = append(all, unit)
	}
	return all
}

// Losing returns the units each of which alone loses a message from process from to process
// to in round, as Environment.Delivers defines it; from is -1 for a message without a
// sender. A crash loses the message unless a restart comes in between: if there are
// restarts, use Cutting and follow the Chain.
func (u *Universe) Losing(from, to, round int) []int { return u.LosingOf("", from, to, round) }

// LosingOf returns the units of Losing, and those that lose the message if it is of a kind.
func (u *Universe) LosingOf(kind string, from, to, round int) []int {
	return u.losing(kind, from, to, round, func(*section) bool { return true })
}

// Cutting returns the units of Losing that are not crashes.
func (u *Universe) Cutting(from, to, round int) []int { return u.CuttingOf("", from, to, round) }

// CuttingOf returns the units of LosingOf that are not crashes.
func (u *Universe) CuttingOf(kind string, from, to, round int) []int {
	return u.losing(kind, from, to, round, func(s *section) bool { return !s.chain })
}

// wayOf returns the number of the way to hit messages of one kind, 0 for all messages, and
// false if the bounds do not pick the kind out.
func (u *Universe) wayOf(kind string) (int, bool) {
	if kind == "" {
		return 0, true
	}
	i := slices.Index(u.ofKinds, kind)
	return i + 1, i >= 0
}

// waysOf returns the ways to hit a link that hit messages of a kind.
func (u *Universe) waysOf(kind string) []int {
	if i := slices.IndexFunc(u.single, func(f rounds.Fault) bool { return Single(f.Of, f.Nth) == kind }); i >= 0 {
		return append(u.waysOf(u.single[i].Of), 1+len(u.ofKinds)-len(u.single)+i)
	}
	if way, ok := u.wayOf(kind); ok && way > 0 {
		return []int{0, way}
	}
	return []int{0}
}

func (u *Universe) losing(kind string, from, to, round int, of func(*section) bool) []int {
	var units []int
	over := round > u.asked.LastLoss()
	round = u.phaseOf(round)
	for i := range u.sections {
		if s := &u.sections[i]; s.last > 0 && s.losing != nil && of(s) && (s.chain || !over) {
			before := len(units)
			units = s.losing(u, s, units, from, to, round)
			if s.ways > 1 {
				units = append(units[:before], u.hitting(s, units[before:], kind)...)
			}
		}
	}
	return u.living(units)
}

// Schedule returns the schedule of the units for which on is true, in normal form.
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

// Renamed returns, for each unit, the unit of its fault under other names: rename
// changes the names of processes in a fault, and neither its kind nor its rounds.
// Renamed returns false if a renamed fault is no unit.
func (u *Universe) Renamed(rename func(rounds.Fault) rounds.Fault) ([]int, bool) {
	units := make([]int, u.Len())
	for i := range u.sections {
		s := &u.sections[i]
		for target := range s.width {
			if s.last == 0 {
				break
			}
			f := rounds.Fault{Kind: s.kind.kind, Round: 1}
			s.domain.name(u, s.target(target), &f)
			other, ok := s.domain.of(u, rename(f))
			if !ok {
				return nil, false
			}
			if other, ok = s.number(other); !ok {
				return nil, false
			}
			for step := s.from; step <= s.last; step++ {
				from, to := s.unit(target, step), s.unit(other, step)
				if u.Alive(from) != u.Alive(to) {
					return nil, false
				}
				units[from] = to
			}
		}
	}
	return units, true
}
