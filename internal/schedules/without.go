package schedules

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// LeaveOut returns a list without its element i.
func LeaveOut[E any](list []E, i int) []E {
	return append(append(make([]E, 0, len(list)-1), list[:i]...), list[i+1:]...)
}

// Without leaves fault i out of a schedule. That need not be a schedule: a restart needs
// its crash.
func Without(s rounds.Schedule, i int) rounds.Schedule {
	s.Faults = LeaveOut(s.Faults, i)
	return s
}

// WithoutTurn leaves fault i out of a schedule, and with a crash the restart behind it,
// with a restart the crash behind it: those of a process come in turn.
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

// Next returns which fault of a schedule is the crash or restart of a process that comes
// after fault i, which is one as well; -1 if there is none.
func Next(s rounds.Schedule, i int) int {
	next := -1
	for j, f := range s.Faults {
		if inTurn(s.Faults[i]) && inTurn(f) && f.Process == s.Faults[i].Process && Instant(f) > Instant(s.Faults[i]) && (next < 0 || Instant(f) < Instant(s.Faults[next])) {
			next = j
		}
	}
	return next
}

// Turns returns the crashes and restarts of a process, as they happen.
func Turns(faults []rounds.Fault, process string) []rounds.Fault {
	turns := slices.DeleteFunc(slices.Clone(faults), func(f rounds.Fault) bool { return f.Process != process || !inTurn(f) })
	slices.SortFunc(turns, func(f, g rounds.Fault) int { return Instant(f) - Instant(g) })
	return turns
}

// inTurn tells whether a fault is a crash or a restart.
func inTurn(f rounds.Fault) bool { return f.Kind == rounds.Crash || f.Kind == rounds.Restart }
