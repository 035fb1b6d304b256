package schedules

import (
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
)

// ofLinks tells whether faults of the kind hit what one process sends another.
func (k *kind) ofLinks() bool {
	switch k.kind {
	case rounds.Omit, rounds.Cut, rounds.Delay, rounds.Duplicate:
		return true
	}
	return false
}

// hit returns which way to hit a link a unit is, and how much later the messages arrive.
func (s *section) hit(unit int) (way, later int) {
	_, step := s.place(unit)
	return s.wayOf(s.roundOf(step))
}

// hitting returns those of units of a section that hit messages of a kind.
func (u *Universe) hitting(s *section, units []int, kind string) []int {
	if s.ways <= 1 {
		return units
	}
	kept, of := units[:0], u.waysOf(kind)
	for _, unit := range units {
		if way, _ := s.hit(unit); way == 0 || way == of[len(of)-1] {
			kept = append(kept, unit)
		}
	}
	return kept
}

// slotOf returns the number of the slot of a unit.
func (s *section) slotOf(unit int) int {
	target, step := s.place(unit)
	phase := (step - 1) / s.period
	if s.starts != nil {
		round, _ := s.roundOf(step)
		phase = round - 1
	}
	return (phase-s.phasesBefore())*s.width + target
}

// checkHits reports that messages of a link are hit twice in a round: each kind has its own
// way to do it, of which a schedule has one.
func (u *Universe) checkHits(units []int) error {
	if len(u.ofKinds) == 0 {
		return nil
	}
	type where struct{ row, slot int }
	hits := map[where]int{}
	for _, unit := range units {
		s := u.sectionOf(unit)
		if s.ways == 0 {
			continue
		}
		here := where{rowOf(rounds.Fault{Kind: s.kind.kind}), s.slotOf(unit)}
		others := []where{here}
		switch here.row {
		case omissions:
			others = append(others, where{delays, here.slot}, where{duplicates, here.slot})
		case delays, duplicates:
			others = append(others, where{omissions, here.slot})
		}
		for _, other := range others {
			if again, twice := hits[other]; twice {
				return wrong("%s; %s: within bounds a schedule hits the messages of a link once in a round, or phase: all of them, or those of one kind", u.Fault(again), u.Fault(unit))
			}
		}
		hits[here] = unit
	}
	return nil
}

// wrongKind says why a fault of one kind of message is not within the bounds.
func (u *Universe) wrongKind(f rounds.Fault) error {
	switch {
	case f.Nth > 0:
		return wrong("%s: bounds have no faults of single messages (#%d)", f, f.Nth)
	case len(u.ofKinds) == 0:
		return wrong("%s: the bounds pick out no kinds of messages (kinds=%s does)", f, rounds.KindText(f.Of))
	}
	return wrong("%s: the bounds do not pick out %s%s (kinds=%s)", f, rounds.KindText(f.Of), text.DidYouMean(f.Of, u.ofKinds), strings.Join(rounds.KindTexts(u.ofKinds), ","))
}
