package search

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// often makes a the answer of a violation that was seen in one execution, if other
// executions of the schedule may differ, for the reason why. Executions without the
// violation do not dispute it: they are counted. A smaller schedule is used instead if it
// breaks at least half as often.
func (s *Session) often(ctx context.Context, a *result.Answer, found rounds.Schedule, why string) error {
	c := s.seen(found)
	n, err := s.Repeat(ctx, &c, s.Bounds.EOT, why)
	a.Stats.Executions += n
	if err != nil {
		return err
	}
	if c.Repeats.Broken > 0 && !s.Whole && ctx.Err() == nil {
		smaller, n, err := s.smaller(ctx, c, why)
		a.Stats.Executions += n
		if err != nil && ctx.Err() == nil {
			return err
		}
		c = smaller
	}
	if ctx.Err() != nil {
		a.Limit = result.Ended(ctx)
	}
	a.Counterexamples = append(a.Counterexamples, c)
	return nil
}

// seen is the counterexample of the execution that ended the search.
func (s *Session) seen(found rounds.Schedule) result.Counterexample {
	after := &Aftermath{Left: s.Violates}
	if known := s.continued.of(s.Seen.Schedule); known != nil {
		after = known
	}
	return counterexample(found.Normal(), s.Seen, after)
}

// smaller removes from the schedule of a counterexample the parts that it does not need to
// break half as often, and executes the rest afresh. It returns the number of executions.
func (s *Session) smaller(ctx context.Context, c result.Counterexample, why string) (_ result.Counterexample, executions int, err error) {
	needed := (c.Repeats.Broken + 1) / 2
	less := c
	known := map[string]bool{} // whether a schedule breaks often enough
	fails := func(fewer rounds.Schedule) (bool, error) {
		name := fewer.Normal().String()
		if breaks, ok := known[name]; ok {
			return breaks, nil
		}
		r := &repetition{target: s.Target, schedule: fewer, eot: s.Bounds.EOT, as: &c.Violations[0], needed: needed}
		err := r.run(ctx, result.RepeatedExecutions)
		executions += r.executions
		s.left -= r.executions
		if err == nil {
			err = ctx.Err()
		}
		known[name] = r.broken >= needed
		return known[name], err
	}
	executed := func(name string) bool { _, ok := known[name]; return ok }
	less.Schedule, err = schedules.ShrinkAsFar(c.Schedule, s.Settings, s.possible(fails), s.possible(s.asFar(fails, executed)))
	if err == nil {
		s.untried = s.notTried(less.Schedule, executed)
	}
	whole := err == nil
	if less.Schedule.Size() == c.Schedule.Size() && less.Schedule.String() == c.Schedule.String() {
		if whole {
			c.Repeats.Needed = needed
		}
		return c, executions, err
	}
	less.Schedule = less.Schedule.Normal()
	less.Size = less.Schedule.Size()
	n, again := s.Repeat(ctx, &less, s.Bounds.EOT, why)
	executions += n
	if again != nil || less.Repeats.Broken == 0 {
		return c, executions, again
	}
	if less.Execution == c.Execution { // one to look at
		n, found, err := s.look(ctx, &less)
		executions += n
		if err != nil || !found {
			return c, executions, err
		}
	}
	if whole {
		less.Repeats.Needed = needed
	}
	return less, executions, err
}

// look executes a schedule, whose longer executions break, until an execution of the usual
// length has the violation, and sets c to it. It returns the number of executions, and
// whether it found one.
func (s *Session) look(ctx context.Context, c *result.Counterexample) (executions int, found bool, err error) {
	x, err := s.Executor(true)
	for err == nil && executions < result.RepeatedExecutions && ctx.Err() == nil {
		executions++
		var e *recording.Execution
		var violations []result.Violation
		e, violations, err = x.Execute(ctx, c.Schedule)
		looked := func(v result.Violation) bool { return Alike(v, c.Violations[0]) }
		if err == nil && slices.ContainsFunc(violations, looked) {
			c.Execution, c.Violations = e, leading(violations, looked)
			return executions, true, nil
		}
	}
	return executions, false, err
}
