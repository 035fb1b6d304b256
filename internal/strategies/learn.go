package strategies

import (
	"context"
	"errors"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// LearnStates executes whole schedules, and derives rules from them: a process in the
// same local state, in the same round, with the same messages does the same. It keeps
// all global states that these rules lead to, and executes a schedule that violates a
// property by the rules; if there is none, one that leads to an unknown step: in turns
// one where the reports of processes differ most, and one in the earliest round. If
// there is neither within the bounds, no schedule violates a property.
//
// The processes should be Fingerprinters; without fingerprints the state of a process
// is its whole input so far, of which there may be too much to learn.
//
// If there are too many global states to keep, LearnStates continues like Spread.
var LearnStates = &search.Strategy{
	Name:   "learn",
	Why:    "the processes name their states, so one execution shows what all others do in them",
	Needs:  search.Needs{Faults: known, Points: true, Simple: true, States: true, Settled: true, Offers: []string{search.OffersFingerprints}},
	Search: searchByLearning,

	Unguided: "it learns what single processes do, and what a guide decides depends on all of them: use exhaustive, enumerate, or one that draws each schedule, such as uniform",
}

func searchByLearning(ctx context.Context, s *search.Session) (*result.Answer, error) {
	l, err := newLearner(s)
	if err != nil {
		return nil, err
	}
	return l.answer(ctx)
}

// answer learns, and returns the answer.
func (l *learner) answer(ctx context.Context) (*result.Answer, error) {
	a, err := l.Finish(ctx, l.learn(ctx), func(a *result.Answer) {
		c := l.Certificate(l.lens)
		c.States, c.Transitions = len(l.product.numbers), l.table.executed
		l.Certify(a, c)
	})
	if err == nil && a.Limit != nil && l.drew {
		a.Limit.Reason += "; it drew schedules, as " + l.product.tooMany()
	}
	return a, err
}

// learner is one search by learning.
type learner struct {
	*search.Session
	lens     *search.Lens
	judge    *search.Judge
	table    *table
	product  *product
	gaps     map[int32]int // by what was reported
	phases   []Phase
	isolable []string // the processes that an isolation can strike
	drew     bool     // schedules, as there are too many global states
}

func newLearner(s *search.Session) (*learner, error) {
	lens, err := search.NewLens(s.Properties)
	if err != nil {
		return nil, err
	}
	judge := s.Judge()
	l := &learner{
		Session: s, lens: lens, judge: judge, table: newTable(s, newHistories(lens)),
		gaps: map[int32]int{}, phases: Phases(s.Bounds), isolable: schedules.New(s.Bounds).Isolable(),
	}
	l.product = &product{session: s, source: l.table, payloads: l.table.payloads, requests: l.table.requests, histories: l.table.histories, reports: l.table.reports, check: judge.Violates}
	judge.Options.Transition = l.table.observe
	return l, nil
}

// learn executes schedules until one violates a property, or none that is left
// could show anything new.
func (l *learner) learn(ctx context.Context) error {
	err := l.explore(ctx)
	if errors.Is(err, errTooMany) {
		err = l.draw(ctx)
	}
	return err
}

// explore keeps all global states that the table leads to, and executes schedules that lead
// to unknown steps. The error may be errTooMany.
func (l *learner) explore(ctx context.Context) error {
	if done, err := l.execute(ctx, rounds.Schedule{}); done || err != nil {
		return err
	}
	predicted, found, err := l.product.search(ctx)
	for ; err == nil; predicted, found, err = l.product.resume(ctx) {
		if found {
			if done, err := l.confirm(ctx, predicted); done || err != nil {
				return err
			}
			continue // it was late
		}
		s, ok := l.choose()
		if !ok {
			return nil
		}
		if done, err := l.execute(ctx, s); done || err != nil {
			return err
		}
		if err := l.goOn(ctx); err != nil {
			return err
		}
	}
	return err
}

// goOn continues the visits that waited for steps that are now known.
func (l *learner) goOn(ctx context.Context) error {
	for _, what := range l.table.learnt {
		if err := l.product.learnt(ctx, what); err != nil {
			return err
		}
	}
	return nil
}

// draw draws schedules for the rest of the budget.
func (l *learner) draw(ctx context.Context) error {
	l.drew = true
	spread := DrawSpread(l.Bounds)
	for {
		if done, err := l.execute(ctx, spread(l.Random)); done || err != nil {
			return err
		}
	}
}

// confirm executes a schedule that the table says violates a property. It tells
// whether it does, or was late.
func (l *learner) confirm(ctx context.Context, s rounds.Schedule) (bool, error) {
	if l.WasLate(l.With(s)) {
		return false, nil
	}
	before := l.GoneOn()
	done, err := l.execute(ctx, s)
	if err == nil && !done && l.GoneOn() == before {
		err = fmt.Errorf("under %q the facts violate a property, but the execution does not: a property reads more than facts, so use a strategy that draws schedules", s)
	}
	return done, err
}

// execute executes a schedule and learns from it. It tells whether a property is violated.
func (l *learner) execute(ctx context.Context, s rounds.Schedule) (bool, error) {
	l.table.begin(l.With(s))
	e, violated, err := l.Execute(ctx, l.judge, s)
	switch {
	case err != nil:
	case violated && e.Inexact != "":
		return true, nil // which is seen, whatever others show
	case e.Inexact != "":
		err = fmt.Errorf("strategy learn needs executions that repeat, but that of the schedule %q may not: %s: use a strategy that draws schedules", e.Schedule, e.Inexact)
	default:
		l.table.end()
		err = l.table.err
	}
	if err != nil {
		return false, err
	}
	l.Progress(result.Progress{Executions: l.Executions, States: len(l.product.nodes), Text: fmt.Sprintf("%d transitions are known", len(l.table.transitions))})
	return violated, nil
}
