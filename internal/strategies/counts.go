package strategies

import (
	"math"

	"github.com/lineage-driven/ldfi/rounds"
)

// counts are the numbers of faults of an execution so far, by kind. A partition counts as
// an isolation as well: an unused partition can be an isolation.
type counts [rounds.Choose + 1]int16

// The kinds as places in counts.
const (
	crashes    = int(rounds.Crash)
	restarts   = int(rounds.Restart)
	pauses     = int(rounds.Pause)
	cut        = int(rounds.Isolate) // and partitions
	partitions = int(rounds.Partition)
	omissions  = int(rounds.Omit)
	severed    = int(rounds.Cut)
	fast       = int(rounds.Fast)
	slow       = int(rounds.Slow)
	jumps      = int(rounds.Jump)
	delays     = int(rounds.Delay)
	duplicates = int(rounds.Duplicate)
	orders     = int(rounds.Order)
	choices    = int(rounds.Choose) // of requests, if there is a limit
)

// budgets returns the most faults of each kind.
func budgets(b rounds.Bounds) counts {
	var most counts
	for k := range most {
		most[k] = math.MaxInt16
		if budget := b.Budget(rounds.Kind(k)); budget != rounds.Unlimited {
			most[k] = int16(min(budget, math.MaxInt16))
		}
	}
	most[cut] = int16(min(int(most[cut])+int(most[partitions]), math.MaxInt16))
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

// event is one fault that begins in a round.
type event int32

// newEvent returns the fault of a kind that strikes a process. The meaning of more depends
// on the kind: the receiver and the way of an omission or a cut, the number of a crash point from 1,
// the number of a partition, the rounds of a jump, or the number of the named processes of
// an order.
func newEvent(kind rounds.Kind, process, more int) int32 {
	return int32(kind)<<24 | int32(process)<<16 | int32(more)
}

// mostMore is the largest value of more in [newEvent].
const mostMore = 0xffff

func (e event) kind() rounds.Kind { return rounds.Kind(e >> 24) }
func (e event) process() int      { return int(e >> 16 & 0xff) }
func (e event) more() int         { return int(e & mostMore) }

// fault returns the fault of an event.
func (p *product) fault(e event, round int) rounds.Fault {
	f := rounds.Fault{Kind: e.kind(), Process: p.bounds.Processes[e.process()], Round: round}
	switch f.Kind {
	case rounds.Crash:
		f.Detail = p.point(e.process(), int32(e.more()))
	case rounds.Jump:
		f.By = e.more()
	case rounds.Isolate, rounds.Pause, rounds.Fast, rounds.Slow:
		f.Until = p.until(round)
	case rounds.Partition:
		f.Process, f.Detail, f.Until = "", p.splits[e.more()].text, p.until(round)
	case rounds.Omit:
		f.To, f.Of = p.bounds.Processes[e.to()], p.kindOf(e.by())
	case rounds.Cut:
		f.To, f.Of, f.Until = p.bounds.Processes[e.to()], p.kindOf(e.by()), p.until(round)
	case rounds.Delay, rounds.Duplicate:
		way, by := p.lateness(e)
		f.To, f.Of, f.By = p.bounds.Processes[e.to()], p.kindOf(way), by
	case rounds.Order:
		f.Detail = p.orderText(e.more())
	}
	return f
}

// until returns the end of the phase of a round.
func (p *product) until(round int) int {
	k := max(p.bounds.Period, 1)
	return min((round-1)/k*k+k, p.last)
}

// point returns the name of a point of a process, by its number; that with 0 is none.
func (p *product) point(process int, number int32) string {
	if number == 0 {
		return ""
	}
	return p.bounds.Points[p.bounds.Processes[process]][number-1]
}

// pointIn returns the number of the point at which a process crashes by some events, 0
// if at none.
func pointIn(events []int32, process int) int32 {
	for _, e := range events {
		if e := event(e); e.kind() == rounds.Crash && e.process() == process && e.more() > 0 {
			return int32(e.more())
		}
	}
	return 0
}
