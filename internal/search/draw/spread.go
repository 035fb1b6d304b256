package draw

import (
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
)

// Spread draws isolations with at most one in a phase: as many phases as the
// budget allows, in each of them a process and the round in which its isolation
// starts. Two processes that are isolated at once are mostly a system that stands
// still, so that this finds more than [Sample] in as many executions.
//
// Faults of other kinds that the bounds allow are drawn as by
// universe.Universe.Random.
var Spread = strategy("spread", DrawSpread, func(search.Options) string { return "" })

// DrawSpread returns what draws the schedules of Spread.
func DrawSpread(o search.Options) func(*rand.Rand) rounds.Schedule {
	b, all, other := o.Bounds, Phases(o.Bounds), others(o.Bounds)
	d := len(all)
	if b.Isolations != rounds.Unlimited {
		d = min(d, b.Isolations)
	}
	return func(r *rand.Rand) rounds.Schedule {
		s := other(r)
		for _, i := range r.Perm(len(all))[:d] {
			s.Faults = append(s.Faults, all[i].Isolation(r, b.Processes[r.IntN(len(b.Processes))]))
		}
		return s.Normal()
	}
}
