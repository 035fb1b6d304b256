package ldfi

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/lineage-driven/ldfi/internal/cases"
	"github.com/lineage-driven/ldfi/internal/universe"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/solver"
)

// casework decides cases of the question whether a model keeps its promise: those that
// somebody else takes apart. Several goroutines can ask at once.
//
// A case is a part of the conditions of all schedules, which are evaluated once, where that
// is not much work. That nothing in it breaks the promise is proved by a solver that knows
// what it has learnt of other cases. Otherwise the case is evaluated by itself. What takes
// more than a little work is too much, so that no case takes long: it is to be taken apart.
type casework struct {
	question *question

	mutex sync.Mutex
	whole *view // all schedules; nil: they are not evaluated, or that is much work
	known bool  // which of both
	idle  []*refuter
}

const (
	sharedWork = 40_000_000 // steps for the conditions of all schedules
	searchWork = 16_000     // about a question of the solver each, in one case: some seconds
)

// Casework prepares to decide cases of the question. Its errors are those of Check.
func (m *Model) Casework(ctx context.Context) (cases.Work, error) {
	alone := *m
	alone.options.Progress, alone.options.Standing = nil, nil
	q, err := newQuestion(ctx, &alone)
	if err != nil {
		return nil, err
	}
	return &casework{question: q}, nil
}

// Decide decides a case. Whoever decides it comes to the same, unless it is too much.
func (w *casework) Decide(ctx context.Context, c cases.Case) (cases.Outcome, error) {
	return w.decide(ctx, c, searchWork)
}

// Again is Decide for whoever wants to know whether its outcome is true: no search is too
// much work.
func (w *casework) Again(ctx context.Context, c cases.Case) (cases.Outcome, error) {
	return w.decide(ctx, c, 0)
}

func (w *casework) decide(ctx context.Context, c cases.Case, work int) (cases.Outcome, error) {
	if err := w.question.check(c); err != nil {
		return cases.Outcome{}, err
	}
	whole, err := w.all(ctx)
	if err != nil {
		return cases.Outcome{}, err
	}
	if whole != nil {
		switch status, err := w.refute(ctx, whole, c, work); {
		case err != nil:
			return cases.Outcome{}, err
		case status == solver.Unsat:
			return cases.Outcome{Complete: true}, nil
		case status == solver.Unknown:
			return cases.Outcome{TooMuch: true}, nil
		}
	}
	v, err := w.view(ctx, whole, c)
	if outOfEffort(err) {
		return cases.Outcome{TooMuch: true, Limit: err}, nil
	}
	if err != nil {
		return cases.Outcome{}, err
	}
	v.work = work
	return v.outcome(ctx, c.Max)
}

// check reports what is no case of the question.
func (q *question) check(c cases.Case) error {
	units := slices.Concat(c.On, c.Off)
	slices.Sort(units)
	switch last := universe.New(q.bounds).Len(); {
	case c.Max < 1 || c.Most < 0:
		return fmt.Errorf("a case of which %d sets are looked for, of at most %d faults", c.Max, c.Most)
	case len(units) > 0 && (units[0] < 0 || units[len(units)-1] >= last):
		return fmt.Errorf("a case of units that the bounds do not have: there are %d", last)
	case !slices.IsSorted(c.On) || !slices.IsSorted(c.Off) || len(slices.Compact(units)) < len(c.On)+len(c.Off):
		return errors.New("a case of units that are not in order, or of one that is both on and off")
	}
	return nil
}

// all returns the conditions of all schedules; nil if they are much work.
func (w *casework) all(ctx context.Context) (*view, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.known {
		return w.whole, nil
	}
	v, err := w.question.whole(ctx, effort{steps: sharedWork}, &pace{}, w.question.gist())
	if err != nil && !isLimit(err) {
		return nil, err
	}
	w.whole, w.known = v, true
	return v, nil
}

// view returns the conditions of a case, for its search.
func (w *casework) view(ctx context.Context, whole *view, c cases.Case) (*view, error) {
	m := *w.question.Model
	m.size, m.options.Workers = c.Most, 1
	if whole == nil {
		return w.question.caseView(ctx, &m, givenOf(c))
	}
	return whole.part(&m, givenOf(c))
}

// part returns the view of a case of what a view has of all schedules.
func (v *view) part(m *Model, given []provenance.Given) (*view, error) {
	graph, broken, err := v.graph.Part(given, m.options.MaxGates, brokenOf(v.goals)...)
	if err != nil {
		return nil, err
	}
	part := &view{Model: m, promise: v.promise, graph: graph, gist: v.gist}
	for i, g := range v.goals {
		if broken[i] != solver.False {
			part.goals = append(part.goals, goal{g.violation, broken[i]})
		}
	}
	return part.aim(nil)
}

// outcome searches a case.
func (v *view) outcome(ctx context.Context, max int) (o cases.Outcome, err error) {
	o.Complete, err = v.sets(ctx, max, func(f finding) { o.Sets = append(o.Sets, f.units) })
	if v.exhausted && ctx.Err() == nil {
		return cases.Outcome{TooMuch: true}, nil
	}
	return o, err
}

// refuter proves of cases that nothing in them breaks the promise, one after the other.
type refuter struct {
	view   *view // of all schedules, with a circuit of its own
	search *solver.Search
}

// refute tells whether something in a case breaks the promise; Unknown if that takes too
// much work.
func (w *casework) refute(ctx context.Context, whole *view, c cases.Case, work int) (solver.Status, error) {
	r, err := w.refuter(whole)
	if err != nil {
		return solver.Unknown, err
	}
	status, err := r.search.Refute(ctx, work, r.under(c)...)
	if err != nil {
		return solver.Unknown, err
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.idle = append(w.idle, r)
	return status, nil
}

// refuter returns one that has nothing to do.
func (w *casework) refuter(whole *view) (*refuter, error) {
	w.mutex.Lock()
	if last := len(w.idle) - 1; last >= 0 {
		defer w.mutex.Unlock()
		r := w.idle[last]
		w.idle = w.idle[:last]
		return r, nil
	}
	w.mutex.Unlock()
	m := *w.question.Model
	m.options.Workers = 1
	v, err := whole.part(&m, nil)
	if err != nil {
		return nil, err
	}
	return &refuter{v, v.newSearch(v.target[0], v.target[1:]...)}, nil
}

// under returns that a schedule is one of the case.
func (r *refuter) under(c cases.Case) (all []solver.Lit) {
	for _, g := range givenOf(c) {
		input := r.view.graph.Inputs[g.Unit]
		if !g.On {
			input = input.Not()
		}
		all = append(all, input)
	}
	return all
}
