package rounds

import "fmt"

// reserved is why something with a text is not executed.
const reserved = "reserved: not yet executed"

// checkReserved reports what nothing executes yet.
func (s Schedule) checkReserved() error {
	for _, f := range s.Faults {
		if f.Kind.known() && f.Kind.row().by == nobody {
			return wrong("%s: %s", f, reserved)
		}
	}
	return nil
}

// CheckProgram reports what Dedalus programs do not have: restarts, pauses,
// partitions, crashes at a point within a round, clocks and disks, the settings of random choices,
// timers and goroutines, and what nothing executes yet.
func (s Schedule) CheckProgram() error {
	lacks := func(what fmt.Stringer, why string) error {
		return wrong("%s: a Dedalus program has no %s", what, why)
	}
	for _, f := range s.Faults {
		if f.Kind.row().by == systems {
			return lacks(f, f.Kind.budgetKey()+"; only systems written in Go do")
		}
		if f.Point() != "" {
			return lacks(f, "points within a round; only systems written in Go do")
		}
		if f.Disk() != "" {
			return lacks(f, "disks; only systems written in Go do")
		}
	}
	switch settings := s.Settings; {
	case settings.Seed.Given || settings.Reseed.Given:
		return lacks(settings, "random choices, and so no seed")
	case settings.Ticks.Given:
		return lacks(settings, "timers, and so no ticks")
	case settings.Goroutines.Given:
		return lacks(Settings{Goroutines: settings.Goroutines}, "goroutines; only systems written in Go do")
	case settings.Reliable != "":
		return lacks(Settings{Reliable: settings.Reliable}, "such setting in its schedules: its own settings, or --reliable, say that")
	}
	return s.checkReserved()
}
