package schedules

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// section has the units of one kind of fault: in each round, one for each target.
type section struct {
	*kind
	targets
	first  int // its first unit
	width  int // how many processes or links it strikes
	from   int // the rounds are from..last, with each step counted as a round
	last   int // 0: there are no units
	period int // the rounds of a phase
	steps  int // of a round: a jump of two rounds is the second
	ways   int // to hit a link: all messages, and those of each kind that the bounds pick out; 0 of what is no fault of links
	budget int // how many units there may be

	starts []int  // by round, the step before its first, where rounds have different numbers of them; and of all
	chosen []slot // of choices; nil for faults
}

// startRounds numbers the steps of rounds whose messages can come later, one for each
// number of rounds by which they can.
func (s *section) startRounds(b rounds.Bounds) {
	if s.last == 0 {
		return
	}
	s.starts = []int{0}
	for round := 1; round <= min(s.last, b.EOT-1); round++ {
		s.starts = append(s.starts, s.starts[round-1]+min(b.MaxDelay, b.EOT-round)*s.ways)
	}
	s.last = s.starts[len(s.starts)-1]
}

// stepped tells whether several units strike one target in a round.
func (s *section) stepped() bool { return s.kind.steps != nil || s.kind.later }

func (s *section) len() int {
	if s.last == 0 {
		return 0
	}
	return s.width * (s.last - s.from + 1)
}

// begin keeps the units that begin in a round or later.
func (s *section) begin(round int) {
	switch {
	case s.starts != nil:
		s.from = s.starts[min(round, len(s.starts))-1] + 1
	default:
		s.from = (round-1)*s.steps + 1
	}
	if s.from > s.last {
		s.from, s.last, s.starts = 1, 0, nil
	}
}

// unit returns the unit that strikes a target, by its number, from a round on.
func (s *section) unit(target, round int) int { return s.first + (round-s.from)*s.width + target }

// place returns the target of a unit, and the round in which it begins.
func (s *section) place(unit int) (target, round int) {
	return (unit - s.first) % s.width, (unit-s.first)/s.width + s.from
}

// untilOf appends the units that strike a process or link in the rounds until one.
func (s *section) untilOf(units []int, i, round int) []int {
	if target, ok := s.number(i); ok {
		return s.until(units, target, round)
	}
	return units
}

// until appends the units that strike a target in the rounds until one.
func (s *section) until(units []int, target, round int) []int {
	if s.last == 0 || round < s.from {
		return units
	}
	return slot{s.unit(target, s.from), s.width, round - s.from + 1}.appendTo(units)
}

// roundOf returns the round of a step, and its number among the steps of that round, from
// 1.
func (s *section) roundOf(step int) (round, by int) {
	if s.starts != nil {
		round, _ = slices.BinarySearch(s.starts, step)
		return round, step - s.starts[round-1]
	}
	return (step-1)/s.steps + 1, (step-1)%s.steps + 1
}

// wayOf returns which way to hit a link a step of a round is, by its number, and how much
// later the messages arrive: first come the faults of all messages.
func (s *section) wayOf(round, by int) (way, later int) {
	switch {
	case s.ways <= 1:
		return 0, by
	case s.later:
		each := (s.starts[round] - s.starts[round-1]) / s.ways
		return (by - 1) / each, (by-1)%each + 1
	}
	return by - 1, 0
}

// stepIn returns the step of a way to hit a link in a round, of a fault that makes nothing
// late.
func (s *section) stepIn(round, way int) int { return (round-1)*s.steps + 1 + way }

// stepOf returns the step of a fault, as if it were its round.
func (s *section) stepOf(u *Universe, f rounds.Fault) (step int, ok bool) {
	kind := f.Of
	if f.Nth > 0 && len(u.single) > 0 {
		kind = Single(f.Of, f.Nth)
	}
	way, ok := u.wayOf(kind)
	switch {
	case !ok || f.Nth > 0 && len(u.single) == 0 || way > 0 && s.ways == 0:
		return 0, false
	case s.ways > 1 && !s.later:
		step = s.stepIn(f.Round, way)
		return step, s.from <= step && step <= s.last
	case s.once:
		return 1, s.last > 0
	case !s.stepped():
		return f.Round, s.from <= f.Round && f.Round <= s.last
	case s.later:
		if f.By < 1 || f.Round < 1 || f.Round >= len(s.starts) {
			return 0, false
		}
		each := (s.starts[f.Round] - s.starts[f.Round-1]) / s.ways
		step = s.starts[f.Round-1] + way*each + f.By
		return step, s.from <= step && f.By <= each
	case s.by != nil:
		if f.By, ok = s.by(u, f); !ok {
			return 0, false
		}
	}
	step = (f.Round-1)*s.steps + f.By
	return step, 1 <= f.By && f.By <= s.steps && s.from <= step && step <= s.last
}

// span is a run of rounds.
type span struct{ first, last int }

// phaseOf returns the phase of a round, cut at the first round and the last.
func (s *section) phaseOf(round int) span {
	first := round - (round-1)%s.period
	last := s.last
	if s.period <= last-first {
		last = first + s.period - 1
	}
	return span{max(first, s.from), last}
}

// phase returns phase i, from 0 on. If rounds have several steps, a phase has the steps of
// one round.
func (s *section) phase(i int) span {
	i += s.phasesBefore()
	if s.starts != nil {
		return span{s.starts[i] + 1, s.starts[i+1]}
	}
	return s.phaseOf(i*s.period + 1)
}

// phasesBefore returns the number of phases before that of the first round.
func (s *section) phasesBefore() int {
	if s.starts != nil {
		before, _ := slices.BinarySearch(s.starts, s.from)
		return before - 1
	}
	return (s.from - 1) / s.period
}

// uneven tells whether the first phase is shorter than others, because no unit of it
// begins with it.
func (s *section) uneven() bool { return s.starts == nil && (s.from-1)%s.period > 0 }

// whole returns the number of whole phases if the first one is whole: the last one may not
// be.
func (s *section) whole() int { return s.last/s.period - s.phasesBefore() }

// phases returns the number of phases.
func (s *section) phases() int {
	switch {
	case s.last < 1:
		return 0
	case s.starts != nil:
		return len(s.starts) - 1 - s.phasesBefore()
	}
	return (s.last-1)/s.period + 1 - s.phasesBefore()
}

// slot is a set of units of which a schedule has at most one: the units with the same
// target in the same phase. They are first, first+step, ..., size in all.
type slot struct{ first, step, size int }

func (s slot) unit(i int) int { return s.first + i*s.step }

// appendTo appends the units of the slot.
func (s slot) appendTo(units []int) []int {
	units = slices.Grow(units, s.size)
	for i := range s.size {
		units = append(units, s.unit(i))
	}
	return units
}

// slots returns the number of slots.
func (s *section) slots() int {
	if s.chosen != nil {
		return len(s.chosen)
	}
	return s.width * s.phases()
}

// slot returns slot i.
func (s *section) slot(i int) slot {
	if s.chosen != nil {
		return s.chosen[i]
	}
	phase := s.phase(i / s.width)
	return slot{s.unit(i%s.width, phase.first), s.width, phase.last - phase.first + 1}
}
