package schedules

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// LeaveOut returns a copy of list without element i.
func LeaveOut[E any](list []E, i int) []E {
	return append(append(make([]E, 0, len(list)-1), list[:i]...), list[i+1:]...)
}

// Without returns s without fault i. The result may be invalid: a restart needs its
// crash.
func Without(s rounds.Schedule, i int) rounds.Schedule {
	s.Faults = LeaveOut(s.Faults, i)
	return s
}

// WithoutTurn returns s without fault i and, if that is a crash or restart, without the
// restart or crash that follows it: crashes and restarts of a process alternate.
func WithoutTurn(s rounds.Schedule, i int) rounds.Schedule {
	next := Next(s, i)
	if s = Without(s, i); next >= 0 {
		if next > i {
			next--
		}
		s = Without(s, next)
	}
	return s
}

// Next returns the index of the crash or restart that follows fault i of s, which is a
// crash or restart of the same process; -1 if there is none.
func Next(s rounds.Schedule, i int) int {
	next := -1
	for j, f := range s.Faults {
		if inTurn(s.Faults[i]) && inTurn(f) && f.Process == s.Faults[i].Process && Instant(f) > Instant(s.Faults[i]) && (next < 0 || Instant(f) < Instant(s.Faults[next])) {
			next = j
		}
	}
	return next
}

// Turns returns the crashes and restarts of process, in the order of time.
func Turns(faults []rounds.Fault, process string) []rounds.Fault {
	turns := slices.DeleteFunc(slices.Clone(faults), func(f rounds.Fault) bool { return f.Process != process || !inTurn(f) })
	slices.SortFunc(turns, func(f, g rounds.Fault) int { return Instant(f) - Instant(g) })
	return turns
}

// inTurn tells whether a fault is a crash or a restart.
func inTurn(f rounds.Fault) bool { return f.Kind == rounds.Crash || f.Kind == rounds.Restart }
