package schedules

import "github.com/lineage-driven/ldfi/rounds"

// If faults begin in the first rounds of phases only (at=phase), a phase has the part of a
// round: the units are those of bounds with one round for each phase. Only when faults are
// read or written are phases converted to rounds.

// inPhases returns the bounds of units, and the number of rounds in each of their rounds.
func inPhases(b rounds.Bounds) (units rounds.Bounds, every int) {
	if b.At == "" {
		return b, 1
	}
	every = b.Period
	phases := func(round int) int { return (round + every - 1) / every }
	if b.EFF > 0 {
		b.EFF = phases(b.LastLoss()) + 1
	}
	b.EOT, b.FaultFree, b.From, b.Period, b.At, b.Points = phases(b.EOT), phases(b.EOT)-phases(b.LastFault()), phases(b.FirstFault()-1)+1, 1, "", nil
	return b, every
}

// inRounds converts a fault that begins in a phase to rounds. A fault that lasts ends when
// the phase ends, or when messages are no longer lost.
func (u *Universe) inRounds(f rounds.Fault) rounds.Fault {
	if u.every == 1 || f.Kind == rounds.Choose {
		return f
	}
	phase := f.Round
	f.Round = (phase-1)*u.every + 1
	if f.Until > 0 {
		f.Until = min(phase*u.every, u.asked.LastLoss())
	}
	return f
}

// inPhase converts a fault that begins with a phase to phases. It returns false if the
// fault does not begin with a phase, or does not end with one.
func (u *Universe) inPhase(f rounds.Fault) (rounds.Fault, bool) {
	if u.every == 1 || f.Kind == rounds.Choose {
		return f, true
	}
	in := f
	if in.Round = u.phaseOf(f.Round); f.Until > 0 {
		in.Until = u.phaseOf(f.Until)
	}
	last := in
	last.Round = max(in.Until, in.Round)
	end := 0
	if f.Until > 0 {
		end = u.inRounds(last).Until
	}
	return in, u.inRounds(in).Round == f.Round && end == f.Until
}

// phaseOf returns the number of the phase of a round.
func (u *Universe) phaseOf(round int) int { return (round-1)/u.every + 1 }

// allInPhases reads the faults of a schedule that is in normal form, and returns the
// universe that counts them.
func (u *Universe) allInPhases(s rounds.Schedule) (*Universe, rounds.Schedule, error) {
	if u.every == 1 {
		return u, s, nil
	}
	in := *u
	in.asked, in.every = u.bounds, 1
	faults := make([]rounds.Fault, len(s.Faults))
	for i, f := range s.Faults {
		var ok bool
		if faults[i], ok = u.inPhase(f); !ok {
			return nil, s, wrong("%s: faults begin in the first round of a phase, and those that last end with one (at=phase, period=%d)", f, u.every)
		}
	}
	s.Faults = faults
	return &in, s, nil
}
