package strategies

import (
	"math/big"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
)

// Spread draws isolations with at most one in a phase: as many phases as the
// budget allows, in each of them a process and the round in which its isolation
// starts. Two processes that are isolated at once are mostly a system that stands
// still, so that this finds more than [Uniform] in as many executions. In as many of
// these phases as the budget of partitions allows, the processes are parted in two
// sides, in any way, of which isolations are some. Faults of other kinds that the
// bounds allow are drawn as by schedules.Universe.Random, every other restart soon.
//
// So that no schedule within the bounds is left out, one in so many is drawn
// uniformly.
var Spread = strategy("spread", drawSpread)

func drawSpread(b rounds.Bounds) drawn {
	uniform, spread := schedules.New(b).Uniform(), DrawSpread(b)
	least := oneIn(schedules.Count(b))
	return drawn{
		draw: func(c schedules.Chance) rounds.Schedule {
			if c.IntN(uniformOneIn) == 0 {
				return uniform.Draw(c)
			}
			return spread(c)
		},
		least: least.Mul(least, big.NewRat(1, uniformOneIn)),
	}
}

// uniformOneIn is the inverse of the share of schedules of Spread that are drawn uniformly.
const uniformOneIn = 8

// DrawSpread returns a function that draws the schedules of Spread that are not drawn
// uniformly.
func DrawSpread(b rounds.Bounds) func(schedules.Numbers) rounds.Schedule {
	all, other, u := Phases(b), schedules.New(others(b)), schedules.New(b)
	p := parting{u, u.Isolable()}
	d := len(all)
	if len(p.processes)+u.Splits() == 0 {
		d = 0
	}
	if most := drawIsolations(b); most != rounds.Unlimited {
		d = min(d, most)
	}
	partitions := d // are in any of the phases that have an isolation or one of them
	if b.Partitions != rounds.Unlimited {
		partitions = min(d, b.Partitions)
	}
	if u.Splits() == 0 {
		partitions = 0
	}
	draw := func(r schedules.Numbers) rounds.Schedule {
		s := other.Random(r)
		chosen := schedules.Sample(r, len(all), d)
		parts := schedules.Sample(r, len(chosen), partitions)
		for i, phase := range chosen {
			if slices.Contains(parts, i) {
				s.Faults = append(s.Faults, p.any(r, all[phase]))
			} else if len(p.processes) > 0 {
				s.Faults = append(s.Faults, all[phase].Isolation(r, p.processes[r.IntN(len(p.processes))]))
			}
		}
		return s.Normal()
	}
	return func(r schedules.Numbers) rounds.Schedule {
		return u.Meet(r, func() rounds.Schedule { return draw(r) })
	}
}

// parting parts the processes in two, in all ways that there are.
type parting struct {
	universe  *schedules.Universe
	processes []string // that can be isolated
}

// any parts them in any way, from a random round of a phase to its end. One on its
// own is isolated.
func (p parting) any(r schedules.Numbers, phase Phase) rounds.Fault {
	i := r.IntN(len(p.processes) + p.universe.Splits())
	if i < len(p.processes) {
		return phase.Isolation(r, p.processes[i])
	}
	f := phase.Isolation(r, "")
	f.Kind, f.Detail = rounds.Partition, p.universe.Split(i-len(p.processes))
	return f
}
