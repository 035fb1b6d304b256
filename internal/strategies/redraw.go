package strategies

import (
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
)

// redraw returns what draws schedules with at most so many faults, each from the
// seed and its number alone: as within bounds that allow so many of each kind, and
// without some of the faults if there are too many.
func (d *drawing) redraw(faults int) func(number uint64) rounds.Schedule {
	fewer, fewest := d.of(capped(d.Bounds, faults)), schedules.New(d.Bounds)
	return func(number uint64) rounds.Schedule {
		random := rand.New(rand.NewPCG(d.Seed, number))
		s := fewer.draw(schedules.Dice{Rand: random})
		d.settings(&s, random)
		for s.Size() > faults {
			s = schedules.WithoutTurn(s, random.IntN(s.Size()))
		}
		return d.With(fewest.Thin(random, s))
	}
}

// capped returns bounds that allow at most so many faults of each kind.
func capped(b rounds.Bounds, faults int) rounds.Bounds {
	for _, budget := range []*int{&b.Crashes, &b.Isolations, &b.Omissions, &b.Restarts, &b.Pauses, &b.Partitions, &b.FastClocks, &b.SlowClocks, &b.Jumps, &b.FailedSyncs, &b.Cuts, &b.Delays, &b.Duplicates, &b.Orders} {
		if *budget == rounds.Unlimited || *budget > faults {
			*budget = faults
		}
	}
	b.Implied = false
	return b
}
