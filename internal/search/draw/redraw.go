package draw

import (
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/internal/universe"
	"github.com/lineage-driven/ldfi/rounds"
)

// redraw returns what draws schedules with at most so many faults, each from the
// seed and its number alone: as within bounds that allow so many of each kind, and
// without some of the faults if there are too many.
func (d *drawing) redraw(faults int) func(number uint64) rounds.Schedule {
	fewer := d.of(capped(d.Bounds, faults))
	return func(number uint64) rounds.Schedule {
		random := rand.New(rand.NewPCG(d.Seed, number))
		s := fewer.draw(universe.Dice{Rand: random})
		d.settings(&s, random)
		for s.Size() > faults {
			s = without(s, random.IntN(s.Size()))
		}
		return d.With(s)
	}
}

// capped returns bounds that allow at most so many faults of each kind.
func capped(b rounds.Bounds, faults int) rounds.Bounds {
	for _, budget := range []*int{&b.Crashes, &b.Isolations, &b.Omissions, &b.Restarts, &b.Pauses, &b.Partitions, &b.FastClocks, &b.SlowClocks, &b.Jumps, &b.FailedSyncs} {
		if *budget == rounds.Unlimited || *budget > faults {
			*budget = faults
		}
	}
	b.Implied = false
	return b
}

// without leaves a fault out of a schedule, and with a crash the restart behind it,
// with a restart the crash behind it: those of a process come in turn.
func without(s rounds.Schedule, i int) rounds.Schedule {
	left, behind := s.Faults[i], -1
	for j, f := range s.Faults {
		if (left.Kind == rounds.Crash || left.Kind == rounds.Restart) && f.Kind == other(left.Kind) && f.Process == left.Process &&
			universe.Instant(f) > universe.Instant(left) && (behind < 0 || universe.Instant(f) < universe.Instant(s.Faults[behind])) {
			behind = j
		}
	}
	fewer := s
	fewer.Faults = nil
	for j, f := range s.Faults {
		if j != i && j != behind {
			fewer.Faults = append(fewer.Faults, f)
		}
	}
	return fewer
}

func other(k rounds.Kind) rounds.Kind { return rounds.Crash + rounds.Restart - k }
