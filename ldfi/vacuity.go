package ldfi

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
)

// vacuity says in a sentence that the promise, or a part of it, requires nothing that
// happens, and is "" if it does, as counterexamples show. The views are those of all
// schedules; if they are not, and that makes a difference, all schedules are evaluated.
func (q *question) vacuity(ctx context.Context, found []result.Counterexample, all views) (string, error) {
	text, err := q.vacuous(ctx, found, all)
	if !errors.Is(err, errPartial) {
		return text, err
	}
	v, err := q.whole(ctx, effort{}, &circuitProgress{}, q.emptiness())
	if err != nil {
		return "", err
	}
	return q.vacuous(ctx, found, one(v))
}

func (q *question) vacuous(ctx context.Context, found []result.Counterexample, all views) (string, error) {
	asked, err := q.unasked(ctx, all)
	derived := ""
	if err == nil && q.promise.violation {
		derived, err = q.underivable(ctx, found, all)
	}
	return strings.Join(slices.DeleteFunc([]string{schedules.Excluded(q.bounds), asked, derived}, func(s string) bool { return s == "" }), "; "), err
}

// unasked explains why pre and post, or good, require nothing.
func (q *question) unasked(ctx context.Context, all views) (string, error) {
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
		possible, err := all.meet(ctx, func(v *view) []solver.Lit {
			return []solver.Lit{v.some(v.graph.Facts(preRelation, w.eot))}
		})
		if err != nil {
			return "", err
		}
		if !possible {
			return fmt.Sprintf("pre has no fact at round %d in any scenario within the bounds, so post is never asked for", w.eot), nil
		}
	}
	if rule := q.follows(); rule != nil {
		return fmt.Sprintf("post follows from pre by one rule, %s (%s), so no fault can break the promise", rule, rule.Position), nil
	}
	if !expects && (w.asked || w.witnessed) { // else post is required under faults only, such as for a backup that takes over
		return fmt.Sprintf("post has no fact at round %d even without faults", w.eot), nil
	}
	return "", nil
}

// follows returns a rule that gives post whatever pre asks for, nil if none is seen to.
func (q *question) follows() *syntax.Rule {
	if slices.ContainsFunc(q.program.Choices, func(c *syntax.Choose) bool { return c.Relation == preRelation }) {
		return nil
	}
	isProcess := func(v specs.Value) bool {
		_, joins := q.bounds.Joins[v.Text()] // before that round no rule fires there
		return !joins && slices.ContainsFunc(q.bounds.Processes, func(p string) bool { return q.program.ProcessValue(p) == v })
	}
	return syntax.Follows(q.program.Rules, q.program.Facts, postRelation, preRelation, isProcess)
}

// expects tells whether post or good has a fact without faults, whatever is chosen.
func (q *question) expects(ctx context.Context) (bool, error) {
	w := q.promise
	if len(w.expected) > 0 || len(q.bounds.Choose) == 0 || !w.good && !w.prePost {
		return len(w.expected) > 0, nil
	}
	relation := postRelation
	if w.good {
		relation = goodRelation
	}
	u := schedules.New(q.bounds)
	limits := q.limits(relation)
	for unit := range u.Len() {
		if !u.IsChoice(unit) {
			limits.Given = append(limits.Given, provenance.Given{Unit: unit})
		}
	}
	g, err := provenance.Evaluate(ctx, q.program, q.bounds, limits)
	if err != nil {
		return false, err
	}
	v, err := q.newView(g, &promise{}, nil)
	if err != nil {
		return false, err
	}
	return v.satisfiable(ctx, v.some(g.Facts(relation, w.eot)))
}

// some is true when one of some facts holds.
func (v *view) some(facts []*provenance.Fact) solver.Lit {
	conditions := make([]solver.Lit, len(facts))
	for i, f := range facts {
		conditions[i] = f.Cond()
	}
	return v.graph.Circuit.Ors(conditions...)
}
