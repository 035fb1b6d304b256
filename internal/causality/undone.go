package causality

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
)

// Undoing is a schedule without one of its faults.
type Undoing struct {
	Fault, Rest rounds.Schedule
}

// LeaveOutEach leaves each fault out of a schedule, alone; a crash together with the restart
// after it where that cannot be without it, and a restart with the next crash.
func LeaveOutEach(s rounds.Schedule, check func(rounds.Schedule) error) []Undoing {
	var all []Undoing
	for i, f := range s.Faults {
		if f.Kind == rounds.Choose {
			continue
		}
		u := Undoing{rounds.Schedule{Faults: []rounds.Fault{f}}, schedules.Without(s, i)}
		if check(u.Rest) != nil {
			next := schedules.Next(s, i)
			if next < 0 {
				continue
			}
			u.Fault.Faults = append(u.Fault.Faults, s.Faults[next])
			u.Rest = schedules.WithoutTurn(s, i)
		}
		all = append(all, u)
	}
	return all
}

// Faultless is what a schedule is compared with where nothing else is said: the same
// without its faults, with what it chooses and its settings; without its choices too if
// it has no faults.
func Faultless(s rounds.Schedule) rounds.Schedule {
	faults := s.Size()
	s.Faults = slices.DeleteFunc(slices.Clone(s.Faults), func(f rounds.Fault) bool { return f.Kind != rounds.Choose || faults == 0 })
	return s
}
