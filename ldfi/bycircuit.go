package ldfi

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/lineage-driven/ldfi/internal/refusal"
	"github.com/lineage-driven/ldfi/provenance"
)

// effort is how much work an evaluation over all schedules may be, and the search after it; 0: any.
type effort struct {
	steps, recursion int64
	search           int // as [solver.Search.Limit] counts it
}

// byCircuit decides the question by conditions over all schedules.
func (q *question) byCircuit(ctx context.Context, s *standing, e effort, p *pace) (decided, error) {
	if p.failed != nil {
		return decided{}, p.failed
	}
	p.standing = s
	v, err := q.whole(ctx, e, p, q.gist())
	if err != nil {
		if isLimit(err) && !outOfEffort(err) {
			p.failed = err
		}
		return decided{}, err
	}
	switch {
	case v.gist: // a reason needs more
	case !q.few() && p.work.Load() <= headStart:
		q.outlook = v
	default:
		q.large = !q.few()
	}
	v.standing = s
	s.does(circuitWay, "searching")
	complete, err := v.upTo(ctx, e.search, q.options.Max, s.list())
	q.cost.calls.Add(int64(v.calls))
	v.calls = 0
	return decided{circuitWay, complete, one(v)}, err
}

// upTo is sets with so much work for the solver, 0: any. Its error is a limit at the end of that,
// and nothing is handed to keep then.
func (v *view) upTo(ctx context.Context, work, max int, keep func(finding)) (complete bool, err error) {
	if work == 0 {
		return v.sets(ctx, max, keep)
	}
	var found []finding
	v.work, v.exhausted = work, false
	complete, err = v.sets(ctx, max, func(f finding) { found = append(found, f) })
	v.work = 0
	if v.exhausted && ctx.Err() == nil {
		return false, &refusal.LimitError{What: provenance.StepsOfWork, Count: work}
	}
	for _, f := range found {
		keep(f)
	}
	return complete, err
}

// whole evaluates the program over all schedules, some relations perhaps only as far as
// they have facts at all (provenance.Options.Whether).
func (q *question) whole(ctx context.Context, e effort, p *pace, whether map[string]int) (*view, error) {
	limits := q.asking()
	limits.MaxSteps, limits.MaxRecursion, limits.Work = e.steps, e.recursion, &p.work
	limits.Whether = whether
	limits.Progress = func(round int) {
		p.standing.does(circuitWay, fmt.Sprintf("evaluating, round %d of %d", round, q.bounds.EOT))
	}
	graph, err := q.evaluate(ctx, limits)
	if graph != nil {
		q.cost.grew(graph)
	}
	if err != nil {
		return nil, err
	}
	return q.newView(graph, q.promise, q.assumed)
}

// evaluate evaluates the program, and takes note of what that costs. With an error there
// is a graph if it shows how far the evaluation came.
func (q *question) evaluate(ctx context.Context, limits provenance.Options) (*provenance.Graph, error) {
	start := time.Now()
	graph, err := provenance.Evaluate(ctx, q.program, q.bounds, limits)
	if graph != nil {
		q.cost.evaluated(graph, time.Since(start))
	}
	return graph, err
}

// outOfEffort tells whether an evaluation ended because it was to be no more work.
func outOfEffort(err error) bool {
	var limit *refusal.LimitError
	return errors.As(err, &limit) && (limit.What == provenance.StepsOfWork || limit.What == provenance.StepsOfRecursion)
}
