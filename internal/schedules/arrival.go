package schedules

import (
	"slices"
	"sync"

	"github.com/lineage-driven/ldfi/rounds"
)

// Arrival is the late arrival of the messages of one process to another in one round,
// by a delay or a duplicate.
type Arrival struct {
	From, To int // indexes of the processes
	Sent, At int // rounds
	Fault    rounds.Fault
}

// lateOnes are the late arrivals of an environment, made when they are first needed.
type lateOnes struct {
	once sync.Once
	all  []Arrival
}

// putOff forgets which messages are late: the faults have changed.
func (e *Environment) putOff() {
	if len(e.postpone)+len(e.late.all) > 0 {
		e.late = &lateOnes{}
	}
}

// later returns the late arrivals of delays and duplicates: of messages that are sent, that
// are not lost, and whose receiver is up when they arrive.
func (e *Environment) later() []Arrival {
	if len(e.postpone) == 0 {
		return nil
	}
	e.late.once.Do(func() {
		for _, f := range e.postpone {
			if _, lost := e.Lost(f); !lost {
				e.late.all = append(e.late.all, Arrival{From: e.index[f.Process], To: e.index[f.To], Sent: f.Round, At: f.Round + f.By, Fault: f})
			}
		}
	})
	return e.late.all
}

// Lost returns the fault that loses the late message of f, a delay or duplicate: in the
// round of sending, or because the receiver is down at the arrival. It returns false if
// the message arrives. Of messages of several kinds it speaks of those that no fault of
// their kind hits.
func (e *Environment) Lost(f rounds.Fault) (rounds.Fault, bool) {
	return e.Of(f.Of, f.Nth).lost(f)
}

// Arrives tells whether the messages from process from to process to of round sent
// arrive at the end of round at: of the same round (see Delivers), or of a later one,
// by a delay or a duplicate. It does not speak of those that a fault of their kind hits
// (see Of).
func (e *Environment) Arrives(from, to, sent, at int) bool {
	if at == sent {
		return e.Delivers(from, to, sent)
	}
	return slices.ContainsFunc(e.later(), func(a Arrival) bool {
		return a.From == from && a.To == to && a.Sent == sent && a.At == at && a.Fault.Of == ""
	})
}

// Later returns the late arrivals, ordered by the round of sending, the round of
// arrival, and then by rounds.Fault.Compare.
func (e *Environment) Later() []Arrival {
	return slices.Clone(e.later())
}

// Latest returns the most rounds by which a delay or duplicate makes a message late.
func (e *Environment) Latest() int {
	latest := 0
	for _, f := range e.postpone {
		latest = max(latest, f.By)
	}
	return latest
}
