package search

import (
	"context"
	"errors"
	"fmt"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// ExecutionError is an execution that came to no end: a process panicked, or did
// what a system does not allow.
type ExecutionError struct {
	Schedule rounds.Schedule
	Err      error
}

func (e *ExecutionError) Error() string {
	return fmt.Sprintf("the execution under %q: %v", e.Schedule, e.Err)
}

func (e *ExecutionError) Unwrap() error { return e.Err }

// smallerPanic takes away from the schedule of a panic what the panic does not
// need. It returns every other error as it is.
func smallerPanic(ctx context.Context, t *Target, err error) error {
	failed, place := panicOf(err)
	if failed == nil {
		return err
	}
	x, broken := newExecutor(t)
	if broken != nil {
		return err
	}
	m := &minimiser{target: t, executor: x, failed: failed, place: place}
	m.Schedule = failed.Schedule.Normal()
	for again := true; again && ctx.Err() == nil; {
		again, _ = m.pass(ctx) // other panics only end it
	}
	return m.failed
}

// panicOf returns the execution in which a process panicked, and where; nil if
// the error is another.
func panicOf(err error) (failed *ExecutionError, place string) {
	var panicked *system.PanicError
	if !errors.As(err, &failed) || !errors.As(err, &panicked) {
		return nil, ""
	}
	return failed, panicked.Place
}

// stillPanics takes over a schedule if the execution panicked at the same place.
func (m *minimiser) stillPanics(s rounds.Schedule, err error) bool {
	failed, place := panicOf(err)
	if failed == nil || place != m.place {
		return false
	}
	m.Schedule, m.failed = s, failed
	return true
}
