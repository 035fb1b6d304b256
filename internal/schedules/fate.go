package schedules

import "github.com/lineage-driven/ldfi/rounds"

// Fate tells whether and when a message arrives.
type Fate struct {
	Arrival int          // the round at whose end it arrives, if this is not the round of sending; else 0
	Again   bool         // it is a duplicate
	Lost    bool         // it does not arrive
	Cause   rounds.Fault // the fault that loses it; the first in normal form if there are several
}

// Fates returns the fates of a message from process from (-1: no sender) to process to
// in round: first of the message itself, then of each duplicate.
func (m Messages) Fates(from, to, round int) []Fate {
	first := Fate{}
	if !m.Delivers(from, to, round) {
		first.Lost = true
		first.Cause, _ = m.Cause(from, to, round)
	}
	postponed := m.Postponed(from, to, round)
	for _, f := range postponed {
		if f.Kind == rounds.Delay {
			first = m.postponed(f)
		}
	}
	fates := []Fate{first}
	for _, f := range postponed {
		again := m.postponed(f)
		if f.Kind != rounds.Duplicate || again.Lost && first.Lost {
			continue // it is lost as a whole
		}
		again.Again = true
		fates = append(fates, again)
	}
	return fates
}

// postponed returns the fate of messages under a delay or duplicate.
func (m Messages) postponed(f rounds.Fault) Fate {
	if cause, lost := m.lost(f); lost {
		return Fate{Lost: true, Cause: cause}
	}
	return Fate{Arrival: f.Round + f.By}
}
