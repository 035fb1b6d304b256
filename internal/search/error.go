package search

import (
	"fmt"

	"github.com/lineage-driven/ldfi/rounds"
)

// ExecutionError is an execution of a system that came to no end, because a
// process did what a system does not allow; panics are violations.
type ExecutionError struct {
	Schedule rounds.Schedule
	Err      error
}

func (e *ExecutionError) Error() string {
	return fmt.Sprintf("the execution under %q: %v", e.Schedule, e.Err)
}

// Unwrap returns what happened.
func (e *ExecutionError) Unwrap() error { return e.Err }
