package search

import (
	"context"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Minimised is a schedule that needs all of its faults.
type Minimised struct {
	Schedule   rounds.Schedule
	Violations []result.Violation
	Execution  *recording.Execution
	Executions int // that it took
}

// Minimise takes away from a schedule that violates a property what it does not
// need for that: settings, faults, and the first rounds of isolations and
// pauses. What it returns was executed, and violates the same property.
func Minimise(ctx context.Context, target Target, s rounds.Schedule) (*Minimised, error) {
	t, err := target.normal()
	if err != nil {
		return nil, err
	}
	x, err := newExecutor(t)
	if err != nil {
		return nil, err
	}
	return minimise(ctx, t, x, s)
}

func minimise(ctx context.Context, t *Target, x *executor, s rounds.Schedule) (*Minimised, error) {
	m := &minimiser{target: t, executor: x}
	e, violations, err := x.execute(ctx, s)
	m.Executions++
	switch {
	case err != nil:
		return nil, err
	case len(violations) == 0:
		return nil, fmt.Errorf("the schedule %q violates no property", s)
	}
	m.property = violations[0].Property
	m.Schedule, m.Violations, m.Execution = s.Normal(), violations, e
	for again := true; again; {
		again, err = m.pass(ctx)
		if err != nil {
			return nil, err
		}
	}
	return &m.Minimised, nil
}

type minimiser struct {
	Minimised
	target   *Target
	executor *executor
	property string // that has to stay violated

	failed *ExecutionError // of a panic, which has to stay in place of that
	place  string          // of the panic
}

// pass tries everything once that makes the schedule smaller, and tells whether
// something did.
func (m *minimiser) pass(ctx context.Context) (bool, error) {
	smaller := false
	for i := m.Schedule.Size() - 1; i >= 0; i-- {
		fewer := m.Schedule
		fewer.Faults = slices.Delete(slices.Clone(fewer.Faults), i, i+1)
		ok, err := m.try(ctx, fewer)
		if err != nil {
			return false, err
		}
		smaller = smaller || ok
	}
	for _, setting := range []func(*rounds.Settings) *rounds.Setting{ticks, seed} {
		fewer := m.Schedule
		if given := setting(&fewer.Settings); !given.Given || *given == *setting(&m.target.Settings) {
			continue
		}
		*setting(&fewer.Settings) = rounds.Setting{}
		ok, err := m.try(ctx, fewer)
		if err != nil {
			return false, err
		}
		smaller = smaller || ok
	}
	for i := range m.Schedule.Faults {
		ok, err := m.shorten(ctx, i)
		if err != nil {
			return false, err
		}
		smaller = smaller || ok
	}
	return smaller, nil
}

func seed(s *rounds.Settings) *rounds.Setting  { return &s.Seed }
func ticks(s *rounds.Settings) *rounds.Setting { return &s.Ticks }

// shorten lets a fault that lasts begin as late as it can.
func (m *minimiser) shorten(ctx context.Context, i int) (bool, error) {
	f := m.Schedule.Faults[i]
	if f.Kind != rounds.Isolate && f.Kind != rounds.Pause {
		return false, nil
	}
	for start := f.Until; start > f.Round; start-- {
		later := m.Schedule
		later.Faults = slices.Clone(later.Faults)
		later.Faults[i].Round = start
		if ok, err := m.try(ctx, later); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// try takes over a schedule if it violates the property.
func (m *minimiser) try(ctx context.Context, s rounds.Schedule) (bool, error) {
	b := m.target.Bounds
	if s.Check(b.Processes, b.EOT) != nil {
		return false, nil // a restart without its crash
	}
	e, violations, err := m.executor.execute(ctx, s)
	m.Executions++
	if m.failed != nil {
		return m.stillPanics(s, err), nil
	}
	if err != nil {
		return false, err
	}
	if !slices.ContainsFunc(violations, func(v result.Violation) bool { return v.Property == m.property }) {
		return false, nil
	}
	m.Schedule, m.Violations, m.Execution = s, violations, e
	return true, nil
}
