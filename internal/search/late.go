package search

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/property"
)

// continuations has the results of continued executions.
type continuations struct {
	mutex sync.Mutex
	all   []continuation
	known map[string]*Aftermath // by schedule
	open  []string              // schedules for which the context ended before a result
}

// continuation is an execution that went on.
type continuation struct {
	index int // of the execution in the search
	*Aftermath
}

// Stands continues an execution, by its number in the search, if it has to ([Target.GoOn]).
// It tells whether a violation is left.
func (s *Session) Stands(ctx context.Context, index int, e *recording.Execution, violations []result.Violation) (bool, error) {
	after, err := s.goOn(ctx, e, violations)
	if err != nil {
		if ctx.Err() != nil {
			s.continued.mutex.Lock()
			s.continued.open = append(s.continued.open, e.Schedule.String())
			s.continued.mutex.Unlock()
		}
		return false, err
	}
	if after.Executions > 0 {
		s.continued.mutex.Lock()
		s.continued.all = append(s.continued.all, continuation{index, after})
		s.continued.mutex.Unlock()
	}
	if len(after.Left) == 0 {
		s.guidance.late(e)
	}
	return len(after.Left) > 0, nil
}

// GoesOn tells whether executions are continued, because something may only be late.
func (s *Session) GoesOn() bool {
	if s.Fixed {
		return false
	}
	for i, c := range s.checkers {
		if s.Properties[i].ByEnd || Awaits(c) {
			return true
		}
	}
	return false
}

// Awaits tells whether the rules of c have violations of the kind that something has
// not happened by the end.
func Awaits(c *property.Checker) bool {
	rules := c.Rules()
	return rules != nil && rules.Derived("pre") && !rules.Read("eot")
}

// Concluded tells whether the schedule, for which a strategy has concluded a violation,
// violates a property. It executes the schedule only if the violation may be late.
func (s *Session) Concluded(ctx context.Context, schedule rounds.Schedule) (bool, error) {
	if !s.GoesOn() {
		return true, nil
	}
	x, err := s.Executor(false)
	if err != nil {
		return false, err
	}
	s.Executions++
	e, violations, err := x.Execute(ctx, schedule)
	if err != nil || len(violations) == 0 {
		return err == nil, err // which no execution confirms
	}
	return s.Stands(ctx, s.Executions, e, violations)
}

// GoneOn returns the number of executions that were continued.
func (s *Session) GoneOn() int { return len(s.continued.all) }

// WasLate tells whether a schedule was executed and turned out to be late.
func (s *Session) WasLate(schedule rounds.Schedule) bool {
	after := s.continued.of(schedule)
	return after != nil && len(after.Left) == 0
}

// goOn is GoOn, once for each schedule.
func (s *Session) goOn(ctx context.Context, e *recording.Execution, violations []result.Violation) (*Aftermath, error) {
	return s.goOnWith(ctx, s.goingOn(e, violations))
}

// goOnWith is goOn with continuing that has begun.
func (s *Session) goOnWith(ctx context.Context, c *continuing) (*Aftermath, error) {
	if known := s.continued.of(c.schedule); known != nil {
		return known, nil
	}
	after, err := c.all(ctx)
	if err == nil && after.Executions > 0 && (s.differs(c.e) == "" || len(after.Left) > 0) { // a late violation may be stuck in another execution
		s.continued.mutex.Lock()
		defer s.continued.mutex.Unlock()
		if s.continued.known == nil {
			s.continued.known = map[string]*Aftermath{}
		}
		s.continued.known[c.schedule.Normal().String()] = after
	}
	return after, err
}

// of returns the result of a schedule, nil if it was not continued.
func (c *continuations) of(schedule rounds.Schedule) *Aftermath {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if len(c.known) == 0 {
		return nil
	}
	return c.known[schedule.Normal().String()]
}

// Ended returns the limit for the end of the context, with the schedule that was being
// continued to see whether it is stuck or late.
func (s *Session) Ended(ctx context.Context) *result.Limit {
	l := result.Ended(ctx)
	if open := s.continued.open; len(open) > 0 {
		l.Reason += fmt.Sprintf(" before it was known whether the schedule %q is late or stuck", slices.Min(open))
	}
	return l
}

// Forget removes the results of executions after a number: workers were ahead of the
// execution that ended the search.
func (s *Session) Forget(behind int) {
	s.tally.forget(behind)
	s.guidance.forget(behind)
	kept := s.continued.all[:0]
	for _, c := range s.continued.all {
		if c.index <= behind {
			kept = append(kept, c)
		}
	}
	s.continued.all = kept
}

// late returns a summary of the late executions, nil if there were none, and the number of
// executions needed to find out.
func (s *Session) late() (late *result.Late, executions int) {
	late, executions, _ = s.lateness()
	return late, executions
}

// lateness is late, with the number of the slowest execution.
func (s *Session) lateness() (late *result.Late, executions, slowest int) {
	for _, c := range s.continued.all {
		executions += c.Executions
		late, slowest = later(late, slowest, c.Late, c.index)
	}
	return late, executions, slowest
}

// later joins two summaries of late executions, with the number of the slowest one; nil:
// there were none.
func later(a *result.Late, slowest int, b *result.Late, slowestOfB int) (*result.Late, int) {
	switch {
	case a == nil && b == nil:
		return nil, 0
	case a == nil:
		copied := *b
		return &copied, slowestOfB
	case b == nil:
		return a, slowest
	}
	all := *a
	all.Schedules += b.Schedules
	all.Reseeded += b.Reseeded
	all.Broken += b.Broken
	if b.Rounds > a.Rounds || b.Rounds == a.Rounds && slowestOfB < slowest {
		all.Rounds, all.Slowest, slowest = b.Rounds, b.Slowest, slowestOfB
	}
	return &all, slowest
}
