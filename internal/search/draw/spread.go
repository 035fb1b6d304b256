package draw

import (
	"math/big"

	"github.com/lineage-driven/ldfi/internal/universe"
	"github.com/lineage-driven/ldfi/rounds"
)

// Spread draws isolations with at most one in a phase: as many phases as the
// budget allows, in each of them a process and the round in which its isolation
// starts. Two processes that are isolated at once are mostly a system that stands
// still, so that this finds more than [Uniform] in as many executions. Faults of
// other kinds that the bounds allow are drawn as by universe.Universe.Random.
//
// So that no schedule within the bounds is left out, one in so many is drawn
// uniformly.
var Spread = strategy("spread", drawSpread)

func drawSpread(b rounds.Bounds) drawn {
	uniform, spread := universe.New(b).Uniform(), DrawSpread(b)
	least := oneIn(b.Scenarios())
	return drawn{
		draw: func(c universe.Chance) rounds.Schedule {
			if c.IntN(uniformOneIn) == 0 {
				return uniform.Draw(c)
			}
			return spread(c)
		},
		least: least.Mul(least, big.NewRat(1, uniformOneIn)),
	}
}

// uniformOneIn is of how many schedules of Spread one is drawn uniformly.
const uniformOneIn = 8

// DrawSpread returns what draws the schedules of Spread that are not drawn
// uniformly.
func DrawSpread(b rounds.Bounds) func(universe.Numbers) rounds.Schedule {
	all, other := Phases(b), others(b)
	processes := other.Isolable()
	d := len(all)
	if len(processes) == 0 {
		d = 0
	}
	if b.Isolations != rounds.Unlimited {
		d = min(d, b.Isolations)
	}
	return func(r universe.Numbers) rounds.Schedule {
		s := other.Random(r)
		for _, i := range universe.Sample(r, len(all), d) {
			s.Faults = append(s.Faults, all[i].Isolation(r, processes[r.IntN(len(processes))]))
		}
		return s.Normal()
	}
}
