package search

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/internal/shrink"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// minimise takes away from the schedule of a counterexample what it does not need
// to violate the same property. It tells how many executions that took.
func (s *Session) minimise(ctx context.Context, x Executor, c *result.Counterexample) (executions int, err error) {
	found := c.Violations[0]
	_, err = shrink.Schedule(c.Schedule, s.Settings, s.possible(func(fewer rounds.Schedule) (bool, error) {
		e, violations, err := x.Execute(ctx, fewer)
		executions++
		if err != nil || !slices.ContainsFunc(violations, func(v result.Violation) bool { return alike(v, found) }) {
			return false, err
		}
		*c = counterexample(fewer, e, violations)
		return true, nil
	}))
	return executions, err
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
