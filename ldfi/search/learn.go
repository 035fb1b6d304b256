package search

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// Learn executes whole schedules, and takes what they show for rules: a process
// that is in the same local state, in the same round, and gets the same messages
// does the same. It keeps all global states that these rules lead to, and
// executes a schedule that they say violates a property; else one that leads to
// something not seen before, by turns where the gap between what processes have
// reported is widest and in the earliest round. When there is neither within the
// bounds, no schedule violates a property.
//
// It needs processes that are Fingerprinters; without fingerprints the state is
// all that a process was ever given, of which there may be too much to learn.
//
// When there are too many global states to keep, the rules become a program that
// is evaluated over all schedules at once, and a solver is asked for the schedule
// to execute. Only when that is too large too, or a property is a function, it
// goes on like [Spread].
var Learn Strategy = learn{}

type learn struct{}

func (learn) Name() string { return "learn" }

func (learn) Search(ctx context.Context, target Target, o Options) (*result.Answer, error) {
	t, err := target.normal()
	if err != nil {
		return nil, err
	}
	if err := t.onlyIsolationsAndCrashes(); err != nil {
		return nil, fmt.Errorf("learn: %w", err)
	}
	if t.Execute != nil {
		return nil, errors.New("learn: the system is executed elsewhere, where its states cannot be seen")
	}
	l, err := newLearner(t, o.normal())
	if err != nil {
		return nil, err
	}
	err = l.learn(ctx)
	a := t.answer("learn", o.Seed, l.executions)
	switch {
	case l.violated:
		return a, settle(ctx, a, t, l.options, l.violating)
	case errors.Is(err, errBudget):
		stop(a, result.LimitExecutions, "%v", err)
	case ctx.Err() != nil:
		kind, why := ended(ctx)
		stop(a, kind, "%s", why)
	case err != nil:
		return nil, err
	default:
		certify(a, l.certificate)
	}
	return a, nil
}

// errBudget says that the executions are used up.
var errBudget = errors.New("all executions of the budget were made")

// learner is one search by learning.
type learner struct {
	target   *Target
	options  Options
	executor *executor
	table    *table
	product  *product
	gaps     map[int32]int // by what was reported
	random   *rand.Rand
	phases   []phase
	settings rounds.Settings

	executions  int
	violated    bool
	violating   rounds.Schedule
	certificate *result.Certificate
}

func newLearner(t *Target, o Options) (*learner, error) {
	lens, err := newLens(t.Properties)
	if err != nil {
		return nil, err
	}
	x, err := newExecutor(t)
	if err != nil {
		return nil, err
	}
	l := &learner{
		target: t, options: o, executor: x, table: newTable(t, newHistories(lens)),
		random: rand.New(rand.NewPCG(o.Seed, 0)), gaps: map[int32]int{}, phases: phases(t.Bounds),
	}
	l.product = &product{target: t, source: l.table, histories: l.table.histories, reports: l.table.reports, most: o.States, check: x.violates}
	x.runner.Options.Transition = l.table.observe
	return l, nil
}

// learn executes schedules until one violates a property, or none that is left
// could show anything new.
func (l *learner) learn(ctx context.Context) error {
	if done, err := l.execute(ctx, rounds.Schedule{}); done || err != nil {
		return err
	}
	predicted, found, err := l.product.search(ctx)
	for ; ; predicted, found, err = l.product.resume(ctx) {
		if errors.Is(err, errTooMany) {
			return l.askOrDraw(ctx)
		}
		if err != nil {
			return err
		}
		if found {
			return l.confirm(ctx, predicted)
		}
		s, ok := l.choose()
		if !ok {
			l.certify()
			return nil
		}
		if done, err := l.execute(ctx, s); done || err != nil {
			return err
		}
		switch err := l.goOn(ctx); {
		case errors.Is(err, errTooMany):
			return l.askOrDraw(ctx)
		case err != nil:
			return err
		}
	}
}

// goOn goes on with what waited for what was learnt.
func (l *learner) goOn(ctx context.Context) error {
	for _, what := range l.table.learnt {
		if err := l.product.learnt(ctx, what); err != nil {
			return err
		}
	}
	return nil
}

// askOrDraw goes on without keeping global states.
func (l *learner) askOrDraw(ctx context.Context) error {
	err := l.ask(ctx)
	if errors.Is(err, errTooMany) {
		err = l.draw(ctx)
	}
	return err
}

// draw draws schedules for the rest of the budget.
func (l *learner) draw(ctx context.Context) error {
	draw := drawSpread(l.target, l.options)
	for {
		if done, err := l.execute(ctx, draw(l.random)); done || err != nil {
			return err
		}
	}
}

// confirm executes a schedule that the table says violates a property.
func (l *learner) confirm(ctx context.Context, s rounds.Schedule) error {
	done, err := l.execute(ctx, s)
	if err == nil && !done {
		err = fmt.Errorf("the facts that are reported under %q violate a property, but the execution does not: a property judges by more than facts, so use a strategy that draws schedules", s)
	}
	return err
}

// states returns how many different global states were kept or, if those were
// too many, how many local states are known.
func (l *learner) states() int {
	if len(l.product.nodes) > l.product.most {
		return len(l.table.byState)
	}
	return len(l.product.nodes)
}

func (l *learner) certify() {
	l.certificate = &result.Certificate{
		Bounds: l.target.Bounds, Settings: l.settings, Schedules: l.target.Bounds.Scenarios(),
		States: l.states(), Transitions: len(l.table.transitions), Executions: l.executions,
	}
	if l.table.histories.lens.all {
		l.certificate.Assumption = assumption
	}
}

// execute runs a schedule and learns from it. It tells whether a property is
// violated.
func (l *learner) execute(ctx context.Context, s rounds.Schedule) (bool, error) {
	if l.executions >= l.options.Executions {
		return false, errBudget
	}
	s = s.With(l.settings).With(l.target.Settings)
	l.table.begin(s)
	e, violations, err := l.executor.execute(ctx, s)
	if err == nil {
		err = l.table.err
	}
	if err != nil {
		return false, err
	}
	if l.executions == 0 { // what was drawn for it is drawn for all
		l.settings = e.Schedule.Settings
	}
	l.executions++
	l.options.Progress(Progress{Executions: l.executions, States: len(l.product.nodes), Text: fmt.Sprintf("%d transitions are known", len(l.table.transitions))})
	if len(violations) > 0 {
		l.violated, l.violating = true, e.Schedule
	}
	return len(violations) > 0, nil
}
