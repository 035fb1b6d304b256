package ldfi

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
)

// Loop decides what Check decides, by the loop of lineage-driven fault injection (P.
// Alvaro et al., SIGMOD 2015, section 3): execute; find the messages that the good
// outcomes rest on; let the solver find the smallest fault set that takes away every
// support seen so far; execute that; and so on, until an outcome is missing or no fault
// set is left. Unless tell is nil, Loop calls it with each turn.
//
// Facts that must be absent for an outcome, and violations, have no support that could
// be taken away. Loop judges them by their exact condition. So the verdict is that of
// Check, and the counterexample, of which there is at most one, has as few faults.
// Errors and limits are those of Check.
func (m *Model) Loop(ctx context.Context, tell func(result.Step)) (*result.Answer, error) {
	if err := m.onlyRun(); err != nil {
		return nil, err
	}
	start := time.Now()
	a := m.unanswered()
	growth, err := m.loop(ctx, a, tell)
	if a.Limit = limitOf(ctx, err); err != nil && a.Limit == nil {
		return nil, err
	}
	m.conclude(a, growth)
	a.Stats.Times.Total = text.Milliseconds(time.Since(start))
	return a, nil
}

// loop returns the sizes of the relations.
func (m *Model) loop(ctx context.Context, a *result.Answer, tell func(result.Step)) ([]recording.Growth, error) {
	q, err := newQuestion(ctx, m)
	if err != nil {
		return nil, err
	}
	err = q.loop(ctx, a, tell)
	a.Stats = q.stats()
	return q.cost.growth, err
}

// loop is a search by the supports that executions show.
type loop struct {
	*question
	all   *view
	tell  func(result.Step)
	goals []*pursued
	steps int
}

// pursued is a way to break the promise that the loop is after.
type pursued struct {
	goal
	wanted *provenance.Fact // the good outcome; nil where something must never happen
	while  solver.Lit       // when it is expected
	shown  solver.Lit       // under which faults it is known to come about
}

func (q *question) loop(ctx context.Context, a *result.Answer, tell func(result.Step)) error {
	v, err := q.whole(ctx, effort{}, &circuitProgress{}, nil)
	if err != nil {
		return err
	}
	l := &loop{question: q, all: v, tell: tell}
	for _, g := range v.goals {
		l.goals = append(l.goals, v.pursue(g))
	}
	if err := l.turn(ctx, a, nil, []string{"an execution without faults shows how the outcomes come about"}); err != nil {
		return err
	}
	for a.Verdict == result.Inconclusive {
		if err := l.next(ctx, a); err != nil {
			return err
		}
	}
	a.Warnings = q.warnings(a.Warnings)
	a.Vacuity, err = q.vacuity(ctx, a.Counterexamples, one(v))
	return err
}

// pursue looks for the outcome whose absence breaks the promise.
func (v *view) pursue(g goal) *pursued {
	p := &pursued{goal: g, while: solver.True}
	if !g.violation.Missing {
		return p
	}
	f := g.violation.Fact
	p.wanted = v.graph.Find(f.Relation, f.Args, f.Round)
	if pre := g.violation.While; pre != nil {
		p.while = conditionOf(v.graph.Find(pre.Relation, pre.Args, pre.Round))
	}
	return p
}

// open is when, for all that is known, the goal may be broken.
func (p *pursued) open(c *solver.Circuit) solver.Lit {
	if p.wanted == nil {
		return p.broken
	}
	return c.And(p.while, p.shown.Not())
}

// next executes a schedule that the solver chooses. If there is none, the promise holds.
func (l *loop) next(ctx context.Context, a *result.Answer) error {
	c := l.all.graph.Circuit
	var open []solver.Lit
	for _, p := range l.goals {
		open = append(open, p.open(c))
	}
	if err := c.Err(); err != nil {
		return err
	}
	search := l.all.newSearch(c.Ors(open...))
	var units []int
	set, found, err := search.Next(ctx)
	l.cost.calls.Add(int64(search.Calls()))
	if err == nil && found && !set.Minimal {
		err = context.Cause(ctx)
	}
	if err == nil && found {
		units, err = l.all.complete(ctx, c.Ors(open...), set)
	}
	if err != nil {
		return err
	}
	if !found {
		a.Verdict, a.Complete = result.Holds, true
		return nil
	}
	why, err := l.reasons(units)
	if err != nil {
		return err
	}
	return l.turn(ctx, a, units, why)
}

// turn executes a schedule. It breaks the promise, or shows why it did not.
func (l *loop) turn(ctx context.Context, a *result.Answer, units []int, why []string) error {
	s := scheduleOf(l.all.graph.Universe, units)
	broken, err := l.executor.broken(ctx, s)
	if err != nil {
		return err
	}
	if expected := l.all.violations(units); !slices.EqualFunc(expected, broken, sameViolation) {
		return l.disagree(s, describe(expected, l.bounds), broken)
	}
	l.steps++
	step := result.Step{Number: l.steps, Schedule: s, Why: why, Violations: l.stated(broken)}
	defer func() {
		if l.tell != nil && err == nil {
			l.tell(step)
		}
	}()
	if len(broken) > 0 {
		c, confirmErr := l.confirm(ctx, units)
		if err = confirmErr; err == nil {
			l.fewest(&c)
			a.Verdict, a.Counterexamples, a.Complete = result.Violated, []result.Counterexample{c}, c.Size == 0
		}
		return err
	}
	step.Outcomes, err = l.learn(s)
	return err
}

// learn adds the supports that an execution showed to the known ones.
func (l *loop) learn(s rounds.Schedule) ([]result.Outcome, error) {
	w, err := l.all.graph.Under(s)
	if err != nil {
		return nil, err
	}
	shows := newShowing(w)
	var outcomes []result.Outcome
	for _, p := range l.goals {
		if p.wanted == nil || !w.Holds(p.wanted) {
			continue
		}
		if shown := shows.condition(p.wanted); l.all.graph.Circuit.Or(p.shown, shown) != p.shown {
			p.shown = l.all.graph.Circuit.Or(p.shown, shown)
			outcomes = append(outcomes, shows.outcome(p.wanted))
		}
	}
	return outcomes, l.all.graph.Circuit.Err()
}

// reasons names the goals that a set of faults may break, by the known supports.
func (l *loop) reasons(units []int) ([]string, error) {
	w, err := l.all.graph.Under(scheduleOf(l.all.graph.Universe, units))
	if err != nil {
		return nil, err
	}
	var why []string
	for _, p := range l.goals {
		if !w.True(p.open(l.all.graph.Circuit)) {
			continue
		}
		if p.wanted == nil {
			why = append(why, fmt.Sprintf("%s follows from the rules", p.violation.Fact))
		} else {
			why = append(why, fmt.Sprintf("these faults cut every way to %s that was seen", p.violation.Fact))
		}
	}
	return why, nil
}
