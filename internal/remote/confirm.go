package remote

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// confirm executes a counterexample that the host claims, twice, and compares the
// executions with the claim, and with each other. If a violation says that something has
// not happened, the execution is continued.
func (s *System) confirm(ctx context.Context, c *result.Counterexample, eot int) error {
	ctx, cancel := s.Longer(ctx)
	defer cancel()
	var err error
	if c.Violations, err = s.believeViolations(c.Violations, eot); err == nil {
		err = s.believe(c.Execution, c.Schedule, eot, c.Violations)
	}
	if err != nil {
		return fmt.Errorf("the counterexample %q: %w", c.Schedule, err)
	}
	if why := cmp.Or(s.Inexact, c.Execution.Inexact); why != "" {
		return s.repeat(ctx, c, eot, why)
	}
	violations, err := s.again(ctx, c, eot)
	if err == nil && c.Execution.Inexact != "" {
		return s.repeat(ctx, c, eot, c.Execution.Inexact)
	}
	if err != nil {
		return fmt.Errorf("the host claims a counterexample of which something else is true when it is executed: %w", err)
	}
	after, err := s.GoOn(ctx, c.Execution, violations)
	if err != nil {
		return err
	}
	if !slices.Equal(texts(c.Violations), texts(after.Left)) {
		return fmt.Errorf("the host claims a counterexample of which something else is true when it is executed: the schedule %q violates %q, and not %q", c.Schedule, texts(after.Left), texts(c.Violations))
	}
	second, err := s.again(ctx, c, eot)
	if err != nil {
		return err
	}
	if c.Execution.Inexact != "" {
		return s.repeat(ctx, c, eot, c.Execution.Inexact)
	}
	if !slices.Equal(texts(violations), texts(second)) {
		return fmt.Errorf("under the schedule %q the same happens twice, and is judged differently: first %q, then %q", c.Schedule, texts(violations), texts(second))
	}
	c.Violations, c.Continued, c.Confirmed, c.Repeats = after.Left, after.Continued, true, nil
	return s.believeIrreducible(ctx, c, eot)
}

// repeat executes a counterexample that the host claims as often as executions that may
// differ are executed, and counts how many break. Whether the recording of the host breaks
// is the claim of the host, unless rules decide it.
func (s *System) repeat(ctx context.Context, c *result.Counterexample, eot int, why string) error {
	claimed := c.Repeats
	if !panicked(c.Violations) {
		if err := s.believeVerdicts(c.Execution, c.Violations); err != nil {
			return fmt.Errorf("the counterexample %q: %w", c.Schedule, err)
		}
	}
	if _, err := s.Repeat(ctx, c, eot, why); err != nil {
		return err
	}
	if claimed != nil && c.Repeats.Broken > 0 {
		c.Repeats.Needed = claimed.Needed
	}
	return nil
}

// again executes a counterexample once more, compares the execution with the known one, and
// returns its violations.
func (s *System) again(ctx context.Context, c *result.Counterexample, eot int) ([]result.Violation, error) {
	e, violations, err := s.Execute(ctx, c.Schedule, eot, messages.Always)
	if err != nil {
		return nil, err
	}
	if err := search.Same(c.Execution, e); err != nil {
		return nil, err
	}
	c.Execution = e
	return violations, nil
}

// texts returns violations in words.
func texts(violations []result.Violation) []string {
	var all []string
	for _, v := range violations {
		all = append(all, v.String())
	}
	return all
}
