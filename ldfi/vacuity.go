package ldfi

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/universe"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/solver"
)

// vacuity says in a sentence that the promise, or a part of it, asks for nothing
// that happens, and is "" if it does ask for something, as counterexamples show.
func (q *question) vacuity(ctx context.Context, found []result.Counterexample) (string, error) {
	asked, err := q.unasked(ctx)
	derived := ""
	if err == nil && q.promise.violation {
		derived, err = q.underivable(ctx, found)
	}
	return strings.Join(slices.DeleteFunc([]string{universe.Excluded(q.bounds), asked, derived}, func(s string) bool { return s == "" }), "; "), err
}

// unasked says why pre and post, or good, ask for nothing.
func (q *question) unasked(ctx context.Context) (string, error) {
	w := q.promise
	expects, err := q.expects(ctx)
	switch {
	case err != nil:
		return "", err
	case w.good && !expects:
		return fmt.Sprintf("good has no fact at round %d without faults, so nothing is asked for", w.eot), nil
	case !w.prePost:
		return "", nil
	}
	if len(q.faultless) == 0 && !w.asked {
		possible, err := q.possible(ctx, q.graph.Facts(preRelation, w.eot))
		if err != nil {
			return "", err
		}
		if !possible {
			return fmt.Sprintf("pre has no fact at round %d in any scenario within the bounds, so post is never asked for", w.eot), nil
		}
	}
	if !expects && (w.asked || w.witnessed) { // else post is asked for under faults alone, as of a backup that takes over
		return fmt.Sprintf("post has no fact at round %d even without faults", w.eot), nil
	}
	return "", nil
}

// expects tells whether post or good has a fact without faults, whatever is chosen.
func (q *question) expects(ctx context.Context) (bool, error) {
	w := q.promise
	if len(w.expected) > 0 || q.graph.Universe.Choices() == 0 || !w.good && !w.prePost {
		return len(w.expected) > 0, nil
	}
	relation := postRelation
	if w.good {
		relation = goodRelation
	}
	_, conditions := w.expects(q.graph, relation)
	return q.satisfiable(ctx, q.graph.Circuit.Ors(conditions...))
}

// possible tells whether some fact holds in some scenario within the bounds.
func (q *question) possible(ctx context.Context, facts []*provenance.Fact) (bool, error) {
	conditions := make([]solver.Lit, len(facts))
	for i, f := range facts {
		conditions[i] = f.Cond()
	}
	some := q.graph.Circuit.Ors(conditions...)
	if some == solver.False {
		return false, nil
	}
	return q.satisfiable(ctx, some)
}

// satisfiable tells whether all of some conditions hold in some scenario within the
// bounds.
func (q *question) satisfiable(ctx context.Context, conditions ...solver.Lit) (bool, error) {
	s := q.withinBounds()
	status, err := s.Solve(ctx, conditions...)
	q.calls += s.Calls()
	return status == solver.Sat, err
}

// withinBounds returns a solver for which the schedules are those within the bounds.
func (q *question) withinBounds() *solver.Solver {
	s := solver.NewSolver(q.graph.Circuit)
	for _, valid := range q.graph.Valid {
		s.Assert(valid)
	}
	return s
}
