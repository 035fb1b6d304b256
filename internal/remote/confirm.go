package remote

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// afterwards is how long what was found is still confirmed after the search was
// to end.
const afterwards = time.Second

// confirm executes a counterexample that the host claims, twice, and compares
// what happens with the claim, and then with what happened before. What says that
// something has not happened is gone on with.
func (s *System) confirm(ctx context.Context, c *result.Counterexample, eot int) error {
	ctx, cancel := longer(ctx, afterwards)
	defer cancel()
	var err error
	if c.Violations, err = s.believeViolations(c.Violations, eot); err == nil {
		err = s.believe(c.Execution, c.Schedule, eot, c.Violations)
	}
	if err != nil {
		return fmt.Errorf("the counterexample %q: %w", c.Schedule, err)
	}
	violations, err := s.again(ctx, c, eot)
	if err != nil {
		return fmt.Errorf("the host claims a counterexample of which something else is true when it is executed: %w", err)
	}
	after, err := s.GoOn(ctx, c.Execution, violations)
	if err != nil {
		return err
	}
	if !slices.Equal(texts(c.Violations), texts(after.Standing)) {
		return fmt.Errorf("the host claims a counterexample of which something else is true when it is executed: the schedule %q violates %q, and not %q", c.Schedule, texts(after.Standing), texts(c.Violations))
	}
	second, err := s.again(ctx, c, eot)
	if err != nil {
		return err
	}
	if !slices.Equal(texts(violations), texts(second)) {
		return fmt.Errorf("under the schedule %q the same happens twice, and is judged differently: first %q, then %q", c.Schedule, texts(violations), texts(second))
	}
	c.Violations, c.Continued, c.Confirmed = after.Standing, after.Continued, true
	return s.believeIrreducible(ctx, c, eot)
}

// again executes a counterexample once more, compares what happens with what is
// known of it, and returns how that is judged.
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

// longer returns a context that ends some time after another.
func longer(ctx context.Context, by time.Duration) (context.Context, context.CancelFunc) {
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(by, cancel) })
	return late, func() { stop(); cancel() }
}
