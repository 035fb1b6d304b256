package rounds

import "fmt"

// UnsupportedError is a fault, or a setting, that a subject cannot execute.
type UnsupportedError struct {
	Text    string // of the fault
	Subject string // "a Dedalus program", or "nothing" for what is reserved
	Why     string // as a phrase
}

func (e *UnsupportedError) Error() string { return fmt.Sprintf("schedule: %s: %s", e.Text, e.Why) }

// Reserved is why something with a text is not executed.
const reserved = "reserved: not yet executed"

// checkReserved reports what nothing executes yet.
func (s Schedule) checkReserved() error {
	switch settings := s.Settings; {
	case settings.Reseed.Given:
		return &UnsupportedError{fmt.Sprintf("seed %d from %d", settings.Reseed.Value, settings.ReseedFrom), "nothing", reserved}
	case settings.Goroutines.Given:
		return &UnsupportedError{fmt.Sprintf("goroutines %d", settings.Goroutines.Value), "nothing", reserved}
	}
	for _, f := range s.Faults {
		if f.Kind.known() && (kindTable[f.Kind].by == nobody || f.Kind == Crash && f.Detail != "") {
			return &UnsupportedError{f.String(), "nothing", reserved}
		}
	}
	return nil
}

// CheckProgram reports what Dedalus programs do not have: restarts, pauses, and
// the settings of random choices, timers and goroutines. It is an
// *UnsupportedError.
func (s Schedule) CheckProgram() error {
	unsupported := func(text, format string, args ...any) error {
		return &UnsupportedError{text, "a Dedalus program", "a Dedalus program has no " + fmt.Sprintf(format, args...)}
	}
	for _, f := range s.Faults {
		if f.Kind.row().by == systems {
			return unsupported(f.String(), "%s; only systems written in Go do", f.Kind.budgetKey())
		}
	}
	switch settings := s.Settings; {
	case settings.Seed.Given:
		return unsupported(settings.String(), "random choices, and so no seed")
	case settings.Ticks.Given:
		return unsupported(settings.String(), "timers, and so no ticks")
	}
	return s.checkReserved()
}
