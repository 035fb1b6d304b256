package search

import (
	"context"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// Answer returns an inconclusive answer after the given number of executions, for a
// strategy to complete.
func (s *Session) Answer(executions int) *result.Answer {
	late, more := s.late()
	return &result.Answer{
		Verdict: result.Inconclusive, Counterexamples: []result.Counterexample{}, Warnings: []specs.Warning{},
		Scope: result.ScopeOf(s.Bounds), Stats: result.Stats{Executions: executions + more},
		Search: &result.Search{Strategy: s.Strategy, Seed: s.Seed, Executions: executions, Continued: more, Late: late, Inexact: s.inexact(), Statistics: s.statistics()},
	}
}

// Certify makes a the answer that no schedule violates a property, with the certificate c,
// unless executions of one schedule may differ.
func (s *Session) Certify(a *result.Answer, c *result.Certificate) {
	if why := s.inexact(); why != "" {
		Stop(a, limits.Inexact, "no schedule within the bounds violated a property when it was executed; this proves nothing, because two executions of one schedule may differ%s", result.InexactAdvice(why))
		return
	}
	a.Verdict, a.Complete, a.Search.Certificate = result.Holds, true, c
}

// Stop records in a the limit that ended the search before its answer was known.
func Stop(a *result.Answer, kind, format string, args ...any) {
	a.Limit = &result.Limit{Kind: kind, Reason: fmt.Sprintf(format, args...)}
}

// Violated makes a the answer that a schedule violates a property. The schedule found is
// made smaller, and executed twice before it is reported. If the two executions differ, the
// error is a *[system.NondeterminismError].
func (s *Session) Violated(ctx context.Context, a *result.Answer, found rounds.Schedule) error {
	a.Verdict, a.Search.Found = result.Violated, found.Normal()
	s.left = max(atLeast, 2*a.Search.Executions)
	defer func() { a.Search.Untried = s.untried }()
	if s.Seen != nil && s.differs(s.Seen) != "" {
		return s.often(ctx, a, found, s.differs(s.Seen))
	}
	ctx = s.For(ctx, ToShrink, -1)
	x, c, executions, err := s.again(context.WithoutCancel(ctx), found) // even when the time is up
	beside := c.Beside != nil
	a.Stats.Executions += executions
	if err != nil {
		return err
	}
	if !s.Whole {
		executions, err := s.minimise(ctx, x, &c, c.Violations[0], s.Settings)
		a.Stats.Executions += executions
		if err != nil && ctx.Err() == nil {
			return err
		}
	}
	switch {
	case s.FewestFirst:
		s.fewest(ctx, &c)
	case !s.Whole && c.Irreducible && s.Guide == nil:
		s.fewer(ctx, x, a, &c)
	}
	if beside {
		whole(&c)
	}
	if err := s.Twice(ctx, &c); err != nil {
		return err
	}
	if c.Because, err = s.Because(ctx, nil, c.Execution, c.Violations[0], s.Bounds.EOT); err != nil {
		return err
	}
	a.Counterexamples = append(a.Counterexamples, c)
	return nil
}

// again executes a schedule that violated a property, and returns what does so: if a guide
// decided a part of it, with the guide beside the rest, or else without it.
func (s *Session) again(ctx context.Context, found rounds.Schedule) (x Executor, c result.Counterexample, executions int, err error) {
	if beside, known := s.guidance.beside[s.Seen]; known && s.Seen != nil {
		if x, err = s.Guided(true); err != nil {
			return nil, c, 0, err
		}
		if c, executions, err = s.confirm(ctx, x, beside); err == nil {
			c.Beside = &beside
			return x, c, executions, nil
		}
	}
	if x, err = s.Executor(true); err != nil {
		return nil, c, 0, err
	}
	c, more, err := s.confirm(ctx, x, found)
	return x, c, executions + more, err
}

// whole adds to the schedule of a counterexample what a guide decided beside it.
func whole(c *result.Counterexample) {
	beside := c.Schedule
	c.Beside = &beside
	c.Schedule = rounds.Schedule{Settings: beside.Settings, Faults: c.Execution.Schedule.Faults}.Normal()
	if c.Size = c.Schedule.Size(); c.Size != beside.Size() {
		c.Minimal, c.Irreducible, c.Among = false, false, ""
	}
}

// confirm executes a schedule that violated a property, or for which a strategy concluded
// this. It returns the number of executions.
func (s *Session) confirm(ctx context.Context, x Executor, found rounds.Schedule) (c result.Counterexample, executions int, err error) {
	e, violations, err := x.Execute(ctx, found)
	if err != nil {
		return c, 1, err
	}
	after, err := s.goOn(ctx, e, violations)
	if err != nil {
		return c, 1, err
	}
	c = counterexample(found.Normal(), e, after)
	if len(c.Violations) > 0 {
		return c, 1, nil
	}
	if err := Same(s.Seen, e); err != nil {
		return c, 1, err
	}
	if err := s.Twice(ctx, &c); err != nil {
		return c, 2, err
	}
	return c, 2, fmt.Errorf("the schedule %q violates no property when it is executed, though the search found so: %w", found, errJudgement)
}

func counterexample(s rounds.Schedule, e *recording.Execution, after *Aftermath) result.Counterexample {
	return result.Counterexample{
		Schedule: s, Size: s.Size(), Confirmed: true, Violations: after.Left, Because: []string{}, Execution: e, Continued: after.Continued,
	}
}
