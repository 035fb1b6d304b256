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

// LeaveOutEach returns the schedules without one fault of s; a crash is left out
// together with the restart after it if that needs the crash, and a restart with the
// next crash.
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

// Faultless returns the schedule that s is compared with by default: s without its
// faults, with its choices and settings; without its choices too if s has no faults.
func Faultless(s rounds.Schedule) rounds.Schedule {
	faults := s.Size()
	s.Faults = slices.DeleteFunc(slices.Clone(s.Faults), func(f rounds.Fault) bool { return f.Kind != rounds.Choose || faults == 0 })
	return s
}
