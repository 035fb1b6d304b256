package search

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// Same compares the recordings of two executions under one schedule. If they differ it
// returns a *[system.NondeterminismError]: the execution decides nothing about the promise,
// and no result of it is kept. Recordings that are marked as not exact prove no difference.
func Same(first, second *recording.Execution) error {
	if first.Inexact != "" || second.Inexact != "" {
		return nil
	}
	return Differ(first, second)
}

// Differ returns the difference of two recordings of one schedule as a
// *system.NondeterminismError, even if they are marked as inexact.
func Differ(first, second *recording.Execution) error {
	d := execution.FirstDivergence(first, second)
	if d == nil {
		return nil
	}
	return &system.NondeterminismError{
		System: first.System, Schedule: first.Schedule, Round: d.Round, Executions: []*recording.Execution{first, second},
	}
}

// Twice executes a counterexample once more, apart from its first execution, or often if
// executions may differ ([Target.Repeat]). The error says that the executions differ, or
// are judged differently.
func (t *Target) Twice(ctx context.Context, c *result.Counterexample) error {
	return t.twice(ctx, c, t.Open)
}

// Twice is that of the target, and knows the bad states of a guide. What a guide decided a part
// of is executed without it, and has to do the same; the bad states of that follow.
func (s *Session) Twice(ctx context.Context, c *result.Counterexample) error {
	if c.Beside == nil {
		return s.twice(ctx, c, func(eot int, record bool) (Executor, error) {
			x, err := s.Open(eot, record)
			if err != nil || s.Guide == nil {
				return x, err
			}
			return s.guided(x, true)
		})
	}
	promised, all := *c, c.Violations
	promised.Violations = slices.DeleteFunc(slices.Clone(all), func(v result.Violation) bool { return v.Property == s.Guide.Name() })
	if len(promised.Violations) == 0 && s.differs(c.Execution) != "" {
		return nil
	}
	left := len(promised.Violations)
	err := s.twice(ctx, &promised, s.Open)
	if *c = promised; len(c.Violations) == left {
		c.Violations = all
	}
	return err
}

func (t *Target) twice(ctx context.Context, c *result.Counterexample, open func(eot int, record bool) (Executor, error)) error {
	if why := t.differs(c.Execution); why != "" {
		_, err := t.Repeat(ctx, c, c.Execution.Bounds.EOT, why)
		return err
	}
	x, err := open(c.Execution.Bounds.EOT, true)
	if err != nil {
		return err
	}
	again, violations, err := x.Execute(context.WithoutCancel(ctx), c.Schedule)
	if err != nil {
		return err
	}
	if again.Inexact != "" {
		_, err := t.Repeat(ctx, c, c.Execution.Bounds.EOT, again.Inexact)
		return err
	}
	if err := Same(c.Execution, again); err != nil {
		return err
	}
	if !repeats(c.Violations, violations) {
		return judgedDifferently(c.Schedule)
	}
	return nil
}

// repeats tells whether a second judgement has the violations of the first one. It has more
// if some violations were late.
func repeats(first, second []result.Violation) bool {
	for _, v := range first {
		if !slices.ContainsFunc(second, func(w result.Violation) bool { return w.Property == v.Property && w.Text == v.Text }) {
			return false
		}
	}
	return len(first) > 0 || len(second) == 0
}

// judgedDifferently says that two equal executions violate different properties.
func judgedDifferently(s rounds.Schedule) error {
	return fmt.Errorf("under the schedule %q the same happens twice, and is judged differently: %w", s, errJudgement)
}

var errJudgement = errors.New("what a property says may depend on the execution alone")
