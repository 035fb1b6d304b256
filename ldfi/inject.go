package ldfi

import (
	"context"
	"errors"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Injection is what happened under one schedule.
type Injection struct {
	Verdict    Verdict // Violated or Holds, of this one execution; "" if the program promises nothing
	Schedule   rounds.Schedule
	Violations []Violation
	Execution  *rounds.Execution // everything that happened
	Reason     []string          // which supports the faults take away, one a line
	Within     bool              // the schedule lies within the bounds
	Warnings   []dedalus.Warning
	Bounds     rounds.Bounds
}

// Inject executes one schedule and judges the execution. The schedule may lie
// outside the bounds on the number of faults, which is a warning; it must name
// the processes and rounds of the bounds.
func Inject(ctx context.Context, p *dedalus.Program, b rounds.Bounds, s rounds.Schedule, o Options) (*Injection, error) {
	return nil, errors.New("not yet")
}
