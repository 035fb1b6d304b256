package draw

import (
	"github.com/lineage-driven/ldfi/internal/universe"
	"github.com/lineage-driven/ldfi/rounds"
)

// Phase is a stretch of rounds at whose end isolated processes rejoin.
type Phase struct{ First, Last int }

func (p Phase) rounds() int { return p.Last - p.First + 1 }

// Phases returns those in which messages can be lost.
func Phases(b rounds.Bounds) []Phase {
	var all []Phase
	last := b.LastLoss()
	for first := 1; first <= last; first += max(b.Period, 1) {
		all = append(all, Phase{first, min(first+max(b.Period, 1)-1, last)})
	}
	return all
}

// Isolation isolates a process from a random round of the phase to its end.
func (p Phase) Isolation(r universe.Numbers, process string) rounds.Fault {
	return rounds.Fault{Kind: rounds.Isolate, Process: process, Round: p.First + r.IntN(p.rounds()), Until: p.Last}
}

// others returns the faults of all kinds but isolations that the bounds allow.
func others(b rounds.Bounds) *universe.Universe {
	b.Isolations = 0
	return universe.New(b)
}
