package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Target is what is searched: a system, what it has to satisfy, and what may go
// wrong.
type Target struct {
	System     *system.System
	Properties []property.Property // nil: those of the system
	Bounds     rounds.Bounds       // processes and rounds are those of the system where none are given

	// Settings are the seed and the ticks of every execution. What is not set
	// is drawn anew for each execution by the strategies that draw schedules,
	// and once by the others.
	Settings rounds.Settings

	// Execute, if it is not nil, executes schedules in place of the system, which
	// is then only a description of one that runs elsewhere, and checks the
	// properties. It is called from several goroutines. The recording may be nil
	// if nothing is violated.
	Execute func(context.Context, rounds.Schedule) (*recording.Execution, []result.Violation, error)
}

// normal returns the target with everything written out, or what is wrong with
// it.
func (t Target) normal() (*Target, error) {
	if t.System == nil {
		return nil, errors.New("the target has no system")
	}
	if err := t.System.Validate(); err != nil {
		return nil, err
	}
	if t.Properties == nil {
		t.Properties = t.System.Properties
	}
	if len(t.Properties) == 0 {
		return nil, fmt.Errorf("system %q has no properties, so that nothing could be violated", t.System.Name)
	}
	if t.Bounds.Processes == nil {
		t.Bounds.Processes = t.System.Processes
	}
	t.Bounds.EOT = cmp.Or(t.Bounds.EOT, t.System.Rounds)
	t.Bounds.CrashStop = true
	if err := t.Bounds.Validate(); err != nil {
		return nil, fmt.Errorf("bounds: %w", err)
	}
	t.Bounds = t.Bounds.Normal()
	return &t, nil
}
