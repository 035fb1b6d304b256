package search

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/internal/minimality"
	"github.com/lineage-driven/ldfi/internal/shrink"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// minimise takes away from the schedule of a counterexample what it does not need
// to violate the same property. It tells how many executions that took.
func (s *Session) minimise(ctx context.Context, x Executor, c *result.Counterexample) (executions int, err error) {
	found := c.Violations[0]
	same := func(v result.Violation) bool { return Alike(v, found) }
	_, err = shrink.Schedule(c.Schedule, s.Settings, s.possible(func(fewer rounds.Schedule) (bool, error) {
		e, violations, err := x.Execute(ctx, fewer)
		executions++
		if err != nil || !slices.ContainsFunc(violations, same) {
			return false, err
		}
		after, err := s.goOn(ctx, e, violations)
		if err != nil {
			return false, err
		}
		executions += after.Executions
		if !slices.ContainsFunc(after.Standing, same) {
			return false, nil
		}
		*c = counterexample(fewer, e, after)
		return true, nil
	}))
	if c.Irreducible = err == nil; c.Irreducible && c.Size <= 1 { // without faults it was executed too
		s.Fewest(ctx, c)
	}
	return executions, err
}

// Fewest says of a counterexample that no schedule with its seed and ticks and with
// fewer faults violates the same property.
func (s *Session) Fewest(ctx context.Context, c *result.Counterexample) {
	c.Minimal, c.Irreducible, c.Among = true, true, minimality.Bounds
	if c.Size > 0 && (c.Schedule.Settings != rounds.Settings{} || s.varies(ctx)) {
		c.Among = minimality.Settings
	}
}

// varies tells whether executions under the same faults can differ. Of a system in
// another program that is not known.
func (s *Session) varies(ctx context.Context) bool {
	return s.System == nil || s.System.Varies(ctx, s.Settings)
}

// possible lets no schedule fail that cannot be executed, such as a restart
// without its crash.
func (s *Session) possible(fails shrink.Fails) shrink.Fails {
	return func(fewer rounds.Schedule) (bool, error) {
		if fewer.Check(s.Bounds.Processes, s.Bounds.EOT) != nil {
			return false, nil
		}
		return fails(fewer)
	}
}
