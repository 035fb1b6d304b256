package schedules

import (
	"slices"
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
		if way, _ := s.hit(unit); slices.Contains(of, way) {
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

// checkHits reports that messages of a link are hit twice in a round, or phase: a schedule
// hits all of them, or those of one kind.
func (u *Universe) checkHits(s rounds.Schedule) error {
	if !slices.ContainsFunc(s.Faults, func(f rounds.Fault) bool { return f.Of != "" }) {
		return nil
	}
	for i, f := range s.Faults {
		for _, g := range s.Faults[:i] {
			if g.Process == f.Process && g.To == f.To && u.sameHit(g, f) {
				return wrong("%s; %s: the bounds allow one hit of a link in a round, or phase: of all messages, or of one kind", g, f)
			}
		}
	}
	return nil
}

// sameHit tells whether two faults of one link are two hits of it where bounds allow one.
func (u *Universe) sameHit(f, g rounds.Fault) bool {
	later := func(f rounds.Fault) bool { return f.Kind == rounds.Delay || f.Kind == rounds.Duplicate }
	switch {
	case f.Kind == rounds.Cut && g.Kind == rounds.Cut:
		phase := func(round int) int { return (round - 1) / u.asked.Period }
		return f.Of != g.Of && phase(f.Round) <= phase(max(g.Until, g.Round)) && phase(g.Round) <= phase(max(f.Until, f.Round))
	case f.Round != g.Round:
		return false
	case f.Kind == rounds.Omit || later(f) && f.Kind == g.Kind:
		return g.Kind == rounds.Omit || later(g)
	}
	return g.Kind == rounds.Omit && later(f)
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
