package search

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// atLeast is the least limit of executions to make a schedule smaller. The limit is twice
// the number of executions before, if that is more. Only the trials of each later start of
// a fault are given up at the limit: all faults are tried to be left out, and the starts of
// faults are halved anyway.
const atLeast = 20

// smaller makes the schedule of a counterexample smaller.
//
// To find out whether an execution is late takes as long as many other executions. So the
// smaller schedule is continued once, at the end. If it is late, smaller begins again, with
// the results so far, and continues each schedule: for later starts with its own seed only,
// at first.
type smaller struct {
	*Session
	x          Executor
	as         result.Violation
	best       *result.Counterexample // stands
	last       *probe                 // made smaller without being known to stand; nil: that is the best
	known      map[string]*probe      // by schedule
	executions int
}

// check is how far executions of a smaller schedule are continued.
type check int

const (
	once    check = iota // not at all: the last is, at the end
	itself               // by their own seed; the last by others, too
	through              // to the end
)

// probe is an execution of a schedule that is smaller.
type probe struct {
	schedule rounds.Schedule
	going    *continuing // nil: nothing that is looked for is violated
}

// minimise removes from the schedule of a counterexample the parts that a violation like as
// does not need. If a property is violated without faults, no faults are left. It returns
// the number of executions.
func (s *Session) minimise(ctx context.Context, x Executor, c *result.Counterexample, as result.Violation, fixed rounds.Settings) (executions int, err error) {
	settled := c.Execution.Schedule.Settings.Apart() // which was drawn, and may be all that matters of the seed
	settled.Requests = c.Execution.Schedule.Settings.Requests
	c.Schedule = c.Schedule.With(settled)
	m := &smaller{Session: s, x: x, as: as, best: c, known: map[string]*probe{}}
	leaveOut := m.by(ctx, []check{once, through}, func(fails schedules.Fails) error {
		_, err := schedules.ShrinkSameStarts(c.Schedule, fixed, fails)
		return err
	})
	startLater := m.by(ctx, []check{once, itself, through}, func(fails schedules.Fails) error {
		_, err := schedules.ShrinkStarts(c.Schedule, fails, m.asFar(fails, m.executed))
		return err
	})
	for before := ""; err == nil && before != c.Schedule.String(); {
		before = c.Schedule.String()
		if err = leaveOut(); err == nil {
			err = startLater()
		}
	}
	s.untried = 0
	if c.Irreducible = err == nil; c.Irreducible {
		s.untried = s.notTried(c.Schedule, m.executed)
		if s.least(c) {
			s.fewest(ctx, c)
		}
	}
	return m.executions, err
}

// by makes the best schedule smaller in one way, by the first of the checks whose result
// stands. A check whose result did not stand is not used again.
func (m *smaller) by(ctx context.Context, checks []check, way func(schedules.Fails) error) func() error {
	return func() error {
		for {
			c := checks[0]
			m.last = nil
			err := way(m.possible(m.fails(ctx, c)))
			last := m.last
			switch m.last = nil; {
			case last == nil:
				return err
			case err != nil:
				if !last.going.needed { // and so it is not late
					m.take(last, &Aftermath{Left: last.going.found})
				}
				return err
			}
			if stands, err := m.stands(ctx, last); stands || err != nil {
				return err
			}
			checks = checks[1:]
		}
	}
}

// fails returns a function that tells whether a schedule violates the property in question,
// by a check.
func (m *smaller) fails(ctx context.Context, by check) schedules.Fails {
	return func(fewer rounds.Schedule) (bool, error) {
		p, err := m.probe(ctx, fewer)
		switch {
		case err != nil || p.going == nil:
			return false, err
		case by == through:
			return m.stands(ctx, p)
		case by == itself:
			if err := m.itself(ctx, p); err != nil || p.going == nil {
				return false, err
			}
		}
		m.last = p
		return true, nil
	}
}

// executed tells whether a schedule was executed.
func (m *smaller) executed(name string) bool { return m.known[name] != nil }

// asFar is fails while executions are left, and for schedules executed before.
func (s *Session) asFar(fails schedules.Fails, executed func(name string) bool) schedules.Fails {
	return func(later rounds.Schedule) (bool, error) {
		if s.left <= 0 && !executed(later.Normal().String()) {
			return false, nil
		}
		return fails(later)
	}
}

// notTried returns the number of later starts of faults that last that were not executed.
func (s *Session) notTried(schedule rounds.Schedule, executed func(name string) bool) (n int) {
	count := s.possible(func(later rounds.Schedule) (bool, error) {
		if !executed(later.Normal().String()) {
			n++
		}
		return false, nil
	})
	_, _ = schedules.ShrinkStarts(schedule, count, count)
	return n
}

// probe executes a schedule, once.
func (m *smaller) probe(ctx context.Context, fewer rounds.Schedule) (*probe, error) {
	name := fewer.Normal().String()
	if p := m.known[name]; p != nil {
		return p, nil
	}
	m.executions++
	m.left--
	e, violations, err := m.x.Execute(ctx, fewer)
	if err != nil {
		return nil, err
	}
	p := &probe{schedule: fewer}
	if slices.ContainsFunc(violations, m.looked(fewer)) {
		p.going = m.goingOn(e, violations)
	}
	m.known[name] = p
	return p, nil
}

// itself continues a probe with its own seed.
func (m *smaller) itself(ctx context.Context, p *probe) error {
	left := p.going.found
	if known := m.continued.of(p.going.schedule); known != nil {
		left = known.Left
	} else if p.going.needed {
		before := p.going.executions
		err := p.going.itself(ctx)
		m.executions += p.going.executions - before
		if err != nil {
			return err
		}
		left = slices.DeleteFunc(slices.Clone(left), func(v result.Violation) bool { return v.ByEnd && !slices.ContainsFunc(p.going.left, same(v)) })
	}
	if !slices.ContainsFunc(left, m.looked(p.schedule)) {
		p.going = nil
	}
	return nil
}

// stands tells whether the violation of a probe stands, and makes the probe the best if it
// does.
func (m *smaller) stands(ctx context.Context, p *probe) (bool, error) {
	before := p.going.executions
	after, err := m.goOnWith(ctx, p.going)
	m.executions += p.going.executions - before
	if err != nil {
		return false, err
	}
	if !slices.ContainsFunc(after.Left, m.looked(p.schedule)) {
		p.going = nil
		return false, nil
	}
	m.take(p, after)
	return true, nil
}

func (m *smaller) take(p *probe, after *Aftermath) {
	*m.best = counterexample(p.schedule.Normal(), p.going.e, after)
}

// looked returns a function that tells which violations are wanted of a schedule.
func (m *smaller) looked(s rounds.Schedule) func(result.Violation) bool {
	return func(v result.Violation) bool {
		ofGuide := m.Guide != nil && v.Property == m.Guide.Name() // what it means by bad may be nothing bad without it
		return s.Size() == 0 && !ofGuide || Alike(v, m.as)
	}
}

// least tells whether no violation has fewer faults than a counterexample of which no fault
// can be left out: the schedule without faults was executed too, but not with other
// choices.
func (s *Session) least(c *result.Counterexample) bool {
	return c.Size == 0 || c.Size == 1 && s.Bounds.Choices == 0
}

// violates executes a schedule. It returns the counterexample if there is a wanted
// violation, or nil, and the number of executions.
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
	if !slices.ContainsFunc(after.Left, looked) {
		return nil, executions, nil
	}
	found := counterexample(schedule.Normal(), e, after)
	return &found, executions, nil
}

// fewest marks a counterexample that has the fewest faults: with its seed and ticks, no
// schedule with fewer faults violates a property.
func (s *Session) fewest(ctx context.Context, c *result.Counterexample) {
	c.Minimal, c.Irreducible, c.Among = true, true, result.AmongBounds
	if c.Size > 0 && (Drawn(c.Schedule.Settings) || s.Varies(ctx)) {
		c.Among = result.AmongSettings
	}
}

// Drawn tells whether some setting of s is drawn.
func Drawn(s rounds.Settings) bool {
	s.Reliable = ""
	return s != rounds.Settings{}
}

// SettledOn returns text about the seed and ticks for which the answer is valid, if these
// were drawn, or else "".
func SettledOn(a *result.Answer) string {
	if a.Search == nil || a.Search.Certificate == nil || !Drawn(a.Search.Certificate.Settings) {
		return ""
	}
	return " with " + a.Search.Certificate.Settings.String()
}

// Varies tells whether executions under the same faults can differ. It is not known for
// a system in another program.
func (s *Session) Varies(ctx context.Context) bool {
	return s.GoroutineOrders || s.System == nil || s.System.Varies(ctx, s.Settings)
}

// varies is Varies, and asks another program if it can: its word decides how schedules are
// picked, and no certificate rests on it.
func (s *Session) varies(ctx context.Context) bool {
	if s.System == nil && s.Varying != nil && !s.GoroutineOrders {
		return s.Varying(ctx, s.Settings)
	}
	return s.Varies(ctx)
}

// possible returns fails that is false for schedules that cannot be executed, such as a
// restart without its crash, or in which processes receive less than the bounds assume, or
// whose faults begin within phases if the bounds have them begin with phases.
func (s *Session) possible(fails schedules.Fails) schedules.Fails {
	return func(fewer rounds.Schedule) (bool, error) {
		if fewer.Check(s.Bounds) != nil || schedules.Granted(fewer, s.Bounds) != nil {
			return false, nil
		}
		if s.Bounds.At != "" && schedules.Within(fewer, s.Bounds) != nil {
			return false, nil
		}
		return fails(fewer)
	}
}
