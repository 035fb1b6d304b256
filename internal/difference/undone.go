package difference

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
)

// Undoing is a schedule without one of its faults.
type Undoing struct {
	Fault, Rest rounds.Schedule
}

// Undone leaves each fault out of a schedule, alone; a crash together with the restart
// after it where that cannot be without it, and a restart with the next crash.
func Undone(s rounds.Schedule, check func(rounds.Schedule) error) []Undoing {
	var all []Undoing
	for i, f := range s.Faults {
		if f.Kind == rounds.Choose {
			continue
		}
		u := Undoing{rounds.Schedule{Faults: []rounds.Fault{f}}, s}
		u.Rest.Faults = slices.Delete(slices.Clone(s.Faults), i, i+1)
		if check(u.Rest) != nil {
			next, ok := after(s, f)
			if !ok {
				continue
			}
			u.Fault.Faults = append(u.Fault.Faults, next)
			u.Rest.Faults = slices.DeleteFunc(u.Rest.Faults, func(g rounds.Fault) bool { return g == next })
		}
		all = append(all, u)
	}
	return all
}

// after returns the crash or restart of a process that follows one of these.
func after(s rounds.Schedule, f rounds.Fault) (next rounds.Fault, ok bool) {
	for _, g := range s.Faults {
		down := g.Kind == rounds.Crash || g.Kind == rounds.Restart
		if down && g.Process == f.Process && schedules.Instant(g) > schedules.Instant(f) && (!ok || schedules.Instant(g) < schedules.Instant(next)) {
			next, ok = g, true
		}
	}
	return next, ok
}
