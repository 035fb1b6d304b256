package search

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/internal/minimality"
	"github.com/lineage-driven/ldfi/internal/shrink"
	"github.com/lineage-driven/ldfi/internal/universe"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// minimise takes away from the schedule of a counterexample what it does not need
// for a violation like one. If anything is violated without faults, that is what
// it leaves. It tells how many executions that took.
func (s *Session) minimise(ctx context.Context, x Executor, c *result.Counterexample, as result.Violation, fixed rounds.Settings) (executions int, err error) {
	_, err = shrink.Schedule(c.Schedule, fixed, s.possible(func(fewer rounds.Schedule) (bool, error) {
		smaller, n, err := s.violates(ctx, x, fewer, func(v result.Violation) bool { return fewer.Size() == 0 || Alike(v, as) })
		executions += n
		if smaller != nil {
			*c = *smaller
		}
		return smaller != nil, err
	}))
	if c.Irreducible = err == nil; c.Irreducible && s.least(c) {
		s.fewest(ctx, c)
	}
	return executions, err
}

// least tells whether there are no fewer faults than those of a counterexample of which
// none can be left out: without faults it was executed too, but with other choices it
// was not.
func (s *Session) least(c *result.Counterexample) bool {
	return c.Size == 0 || c.Size == 1 && s.Bounds.Choices == 0
}

// violates executes a schedule. It returns the counterexample if there is a
// violation that is looked for, or nil, and how many executions that took.
func (s *Session) violates(ctx context.Context, x Executor, schedule rounds.Schedule, looked func(result.Violation) bool) (c *result.Counterexample, executions int, err error) {
	e, violations, err := x.Execute(ctx, schedule)
	if err != nil || !slices.ContainsFunc(violations, looked) {
		return nil, 1, err
	}
	after, err := s.goOn(ctx, e, violations)
	if err != nil {
		return nil, 1, err
	}
	executions = 1 + after.Executions
	if !slices.ContainsFunc(after.Standing, looked) {
		return nil, executions, nil
	}
	found := counterexample(schedule.Normal(), e, after)
	return &found, executions, nil
}

// fewest says of a counterexample that no schedule with its seed and ticks and with
// fewer faults violates any property.
func (s *Session) fewest(ctx context.Context, c *result.Counterexample) {
	c.Minimal, c.Irreducible, c.Among = true, true, minimality.Bounds
	if c.Size > 0 && (Drawn(c.Schedule.Settings) || s.Varies(ctx)) {
		c.Among = minimality.Settings
	}
}

// Drawn tells whether settings have something that is drawn.
func Drawn(s rounds.Settings) bool {
	s.Reliable = ""
	return s != rounds.Settings{}
}

// SettledOn says with which seed and ticks everything is decided, where these are drawn;
// empty if nothing is.
func SettledOn(a *result.Answer) string {
	if a.Search == nil || a.Search.Certificate == nil || !Drawn(a.Search.Certificate.Settings) {
		return ""
	}
	return " with " + a.Search.Certificate.Settings.String()
}

// Varies tells whether executions under the same faults can differ. Of a system in
// another program that is not known.
func (s *Session) Varies(ctx context.Context) bool {
	return s.GoroutineOrders || s.System == nil || s.System.Varies(ctx, s.Settings)
}

// possible lets no schedule fail that cannot be executed, such as a restart
// without its crash, or under which less is received than the bounds take for granted,
// or whose faults begin within phases where the bounds have them begin with phases.
func (s *Session) possible(fails shrink.Fails) shrink.Fails {
	return func(fewer rounds.Schedule) (bool, error) {
		if fewer.Check(s.Bounds) != nil || universe.Granted(fewer, s.Bounds) != nil {
			return false, nil
		}
		if s.Bounds.At != "" && universe.Within(fewer, s.Bounds) != nil {
			return false, nil
		}
		return fails(fewer)
	}
}
