package states

import (
	"math"

	"github.com/lineage-driven/ldfi/rounds"
)

// counts is how many faults of each kind an execution has so far.
type counts [5]int16

const (
	crashes = iota
	restarts
	pauses
	isolations
	omissions
)

// budgets returns how many there may be.
func budgets(b rounds.Bounds) counts {
	var most counts
	for i, kind := range []rounds.Kind{rounds.Crash, rounds.Restart, rounds.Pause, rounds.Isolate, rounds.Omit} {
		most[i] = math.MaxInt16
		if budget := b.Budget(kind); budget != rounds.Unlimited {
			most[i] = int16(min(budget, math.MaxInt16))
		}
	}
	return most
}

// within tells whether no count is above that of others.
func (c counts) within(most counts) bool {
	for i, n := range c {
		if n > most[i] {
			return false
		}
	}
	return true
}

// plus returns the counts with some more of one kind.
func (c counts) plus(kind int, more int16) counts {
	c[kind] += more
	return c
}

// event is one fault that begins in a round.
type event int32

// newEvent returns the fault of a kind that strikes a process, and of which link
// to another, if it is one.
func newEvent(kind rounds.Kind, process, to int) int32 {
	return int32(kind)<<24 | int32(process)<<16 | int32(to)
}

func (e event) kind() rounds.Kind { return rounds.Kind(e >> 24) }
func (e event) process() int      { return int(e >> 16 & 0xff) }
func (e event) to() int           { return int(e & 0xffff) }

// fault returns the fault of an event.
func (p *product) fault(e event, round int) rounds.Fault {
	f := rounds.Fault{Kind: e.kind(), Process: p.bounds.Processes[e.process()], Round: round}
	switch f.Kind {
	case rounds.Isolate, rounds.Pause:
		f.Until = p.until(round)
	case rounds.Omit:
		f.To = p.bounds.Processes[e.to()]
	}
	return f
}

// until returns the end of the phase of a round.
func (p *product) until(round int) int {
	k := max(p.bounds.Period, 1)
	return min((round-1)/k*k+k, p.last)
}
