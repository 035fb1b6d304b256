package ldfi

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/lineage-driven/ldfi/internal/refusal"
	"github.com/lineage-driven/ldfi/provenance"
)

// effort is how much work an evaluation over all schedules may be; 0: any.
type effort struct{ steps, recursion int64 }

// byCircuit decides the question by conditions over all schedules.
func (q *question) byCircuit(ctx context.Context, s *knownSets, e effort, p *circuitProgress) (decided, error) {
	if p.failed != nil {
		return decided{}, p.failed
	}
	p.known = s
	v, err := q.whole(ctx, e, p, q.emptiness())
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
	v.known = s
	s.does(circuitWay, "searching")
	complete, err := v.sets(ctx, q.options.Max, s.list())
	q.cost.calls.Add(int64(v.calls))
	v.calls = 0
	return decided{circuitWay, complete, one(v)}, err
}

// whole evaluates the program over all schedules, some relations perhaps only as far as
// they have facts at all (provenance.Options.Whether).
func (q *question) whole(ctx context.Context, e effort, p *circuitProgress, whether map[string]int) (*view, error) {
	limits := q.asking()
	limits.MaxSteps, limits.MaxRecursion, limits.Work = e.steps, e.recursion, &p.work
	limits.Whether = whether
	limits.Progress = func(round int) {
		p.known.does(circuitWay, fmt.Sprintf("evaluating, round %d of %d", round, q.bounds.EOT))
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
