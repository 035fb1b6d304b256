package schedules

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// Arrival is the late arrival of the messages of one process to another in one round,
// by a delay or a duplicate.
type Arrival struct {
	From, To int // indexes of the processes
	Sent, At int // rounds
	Fault    rounds.Fault
}

// putOff records the late arrivals of a delay or duplicate: of messages that are sent, that
// are not lost, and whose receiver is up when they arrive.
func (e *Environment) putOff(f rounds.Fault) {
	e.postpone = append(e.postpone, f)
	a := Arrival{From: e.index[f.Process], To: e.index[f.To], Sent: f.Round, At: f.Round + f.By, Fault: f}
	if _, lost := e.Lost(f); lost {
		return
	}
	e.later = append(e.later, a)
}

// Lost returns the fault that loses the late message of f, a delay or duplicate: in the
// round of sending, or because the receiver is down at the arrival. It returns false if
// the message arrives.
func (e *Environment) Lost(f rounds.Fault) (rounds.Fault, bool) {
	from, to, at := e.index[f.Process], e.index[f.To], f.Round+f.By
	var causes []rounds.Fault
	for _, g := range e.schedule.Faults {
		if e.severs(g, from, to, f.Round) || e.Loses(g, -1, to, at) {
			causes = append(causes, g)
		}
	}
	if len(causes) == 0 {
		return rounds.Fault{}, false
	}
	return slices.MinFunc(causes, rounds.Fault.Compare), true
}

// severs tells whether a fault alone loses the messages from process from to process to in
// a round, whenever they would arrive, for another reason than that the receiver is down.
func (e *Environment) severs(f rounds.Fault, from, to, round int) bool {
	if f.Kind == rounds.Delay || f.Kind == rounds.Duplicate || !e.Loses(f, from, to, round) {
		return false
	}
	return f.Kind != rounds.Crash || e.index[f.Process] == from
}

// Arrives tells whether the messages from process from to process to of round sent
// arrive at the end of round at: of the same round (see Delivers), or of a later one,
// by a delay or a duplicate.
func (e *Environment) Arrives(from, to, sent, at int) bool {
	if at == sent {
		return e.Delivers(from, to, sent)
	}
	return slices.ContainsFunc(e.later, func(a Arrival) bool { return a.From == from && a.To == to && a.Sent == sent && a.At == at })
}

// Later returns the late arrivals, ordered by the round of sending, the round of
// arrival, and then by rounds.Fault.Compare.
func (e *Environment) Later() []Arrival {
	return slices.Clone(e.later)
}

// Postponed returns the delay and the duplicate of the messages from process from to
// process to of round.
func (e *Environment) Postponed(from, to, round int) []rounds.Fault {
	var all []rounds.Fault
	for _, f := range e.postpone {
		if f.Round == round && e.index[f.Process] == from && e.index[f.To] == to {
			all = append(all, f)
		}
	}
	return all
}

// Latest returns the most rounds by which a delay or duplicate makes a message late.
func (e *Environment) Latest() int {
	latest := 0
	for _, f := range e.postpone {
		latest = max(latest, f.By)
	}
	return latest
}
