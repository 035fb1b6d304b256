package ldfi

import (
	"fmt"

	"github.com/lineage-driven/ldfi/rounds"
)

// NoPromiseError reports a program that promises nothing, so that there is nothing to
// decide.
type NoPromiseError struct{ File string }

func (e *NoPromiseError) Error() string {
	return fmt.Sprintf("%s: the program promises nothing: define pre(..) and post(..), or violation(..), or good(..)", e.File)
}

// internalError says that the two evaluators of this library disagree about a
// schedule, so that neither can be trusted. It is a bug of ldfi.
type internalError struct {
	Schedule rounds.Schedule
	Circuit  string // the result of the evaluation over all schedules
	Executor string // the result of the concrete execution
}

func (e *internalError) Error() string {
	return fmt.Sprintf("internal error: two evaluators disagree about the schedule %q\n  over all schedules at once: %s\n  executed:                   %s\nplease report this as a bug of ldfi, with the program and its bounds",
		e.Schedule.String(), e.Circuit, e.Executor)
}
