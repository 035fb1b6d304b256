package strategies

import (
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
)

// Phase is a stretch of rounds at whose end isolated processes rejoin.
type Phase struct {
	First, Last int
	whole       bool // isolations begin with the phase
}

func (p Phase) rounds() int { return p.Last - p.First + 1 }

// Phases returns the phases in which messages can be lost. The first one is cut where
// faults begin within it.
func Phases(b rounds.Bounds) []Phase {
	var all []Phase
	period, last, since := max(b.Period, 1), b.LastLoss(), b.FirstFault()
	for first := (since-1)/period*period + 1; first <= last; first += period {
		if p := (Phase{max(first, since), min(first+period-1, last), b.At != ""}); !p.whole || p.First == first {
			all = append(all, p)
		}
	}
	return all
}

// Isolation isolates a process from a random round of the phase to its end.
func (p Phase) Isolation(r schedules.Numbers, process string) rounds.Fault {
	f := rounds.Fault{Kind: rounds.Isolate, Process: process, Round: p.First, Until: p.Last}
	if !p.whole {
		f.Round += r.IntN(p.rounds())
	}
	return f
}

// others returns the bounds without isolations and partitions, and without assumptions
// about the messages of each round, which depend on all faults together.
func others(b rounds.Bounds) rounds.Bounds {
	b.Isolations, b.Partitions = 0, 0
	return free(b)
}

// free returns the bounds without assumptions about the messages of each round.
func free(b rounds.Bounds) rounds.Bounds {
	b.Deliver, b.Kernel = "", ""
	return b
}

// drawIsolations returns the number of isolations that the bounds allow without partitions.
func drawIsolations(b rounds.Bounds) int {
	if b.Isolations == rounds.Unlimited || b.Partitions == rounds.Unlimited {
		return rounds.Unlimited
	}
	return b.Isolations + b.Partitions
}
