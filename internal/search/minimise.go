package search

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// atLeast is how many executions there may be to make what a search found smaller, however
// few found it. Otherwise they are twice as many as these. Only each later start of a fault
// is given up for that: what can be left out is left out, and halving shows where a fault
// can begin.
const atLeast = 20

// smaller is how a counterexample is made smaller.
//
// Whether an execution is late takes as long to find out as many others. So what was made
// smaller is gone on with once, at the end. If it is late that begins afresh, with what is
// known, and each schedule is gone on with: of later starts by its own seed alone, at first.
type smaller struct {
	*Session
	x          Executor
	as         result.Violation
	best       *result.Counterexample // stands
	last       *probe                 // made smaller without being known to stand; nil: that is the best
	known      map[string]*probe      // by schedule
	executions int
}

// check is how far schedules are gone on with that are made smaller.
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

// minimise takes away from the schedule of a counterexample what it does not need
// for a violation like one. If anything is violated without faults, that is what
// it leaves. It tells how many executions that took.
func (s *Session) minimise(ctx context.Context, x Executor, c *result.Counterexample, as result.Violation, fixed rounds.Settings) (executions int, err error) {
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

// by returns what makes the best smaller in some way, by the first of these checks by which
// what is left stands. Where one was not enough it is not taken again.
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

// fails returns what tells whether a schedule violates what is looked for, by a check.
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

// asFar is fails as far as there are executions left, and of what was executed before.
func (s *Session) asFar(fails schedules.Fails, executed func(name string) bool) schedules.Fails {
	return func(later rounds.Schedule) (bool, error) {
		if s.left <= 0 && !executed(later.Normal().String()) {
			return false, nil
		}
		return fails(later)
	}
}

// notTried returns how many later starts of faults that last were not executed.
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

// itself goes on with a probe by its own seed.
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

// stands tells whether what a probe violates stands, and makes it the best if it does.
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

// looked tells what a schedule is to violate.
func (m *smaller) looked(s rounds.Schedule) func(result.Violation) bool {
	return func(v result.Violation) bool { return s.Size() == 0 || Alike(v, m.as) }
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
	if !slices.ContainsFunc(after.Left, looked) {
		return nil, executions, nil
	}
	found := counterexample(schedule.Normal(), e, after)
	return &found, executions, nil
}

// fewest marks a counterexample as one that has the fewest faults: with its seed and ticks,
// no schedule with fewer faults violates a property.
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

// SettledOn returns text about the seed and ticks for which the answer is valid, if
// these were drawn; "" if nothing was.
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

// possible lets no schedule fail that cannot be executed, such as a restart
// without its crash, or under which less is received than the bounds take for granted,
// or whose faults begin within phases where the bounds have them begin with phases.
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
