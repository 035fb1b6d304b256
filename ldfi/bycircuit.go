package ldfi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/solver"
)

// effort limits the work of an evaluation over all schedules; 0: no limit.
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

// whole evaluates the program over all schedules. For some relations it may evaluate only
// whether they have facts at all (provenance.Options.Whether).
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

// evaluate evaluates the program, and records the cost. With an error it returns a graph if
// that shows how far the evaluation came.
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
	var limit *limits.LimitError
	return errors.As(err, &limit) && (limit.What == provenance.StepsOfWork || limit.What == provenance.StepsOfRecursion)
}

// finding is a sorted set of units that breaks the promise and of which no unit can be left
// out.
type finding struct {
	units    []int
	smallest bool // at its place in the order: earlier sets are found before it, or break nothing
}

// sets finds up to max sets in order, and calls keep with each. It tells whether there are
// no others.
func (v *view) sets(ctx context.Context, max int, keep func(finding)) (complete bool, err error) {
	if v.options.Decider != nil {
		return v.byDecider(ctx, max, keep)
	}
	known, found := v.batch.probe()
	if found {
		v.known.knows(v.finding(known, false).units)
	}
	if max == 1 && !v.weighs() {
		if ended, complete := v.first(known, keep); ended {
			return complete, nil
		}
	}
	return v.enumerate(ctx, max, known, keep)
}

// first finds the first set by trying one after the other, as long as that is cheap. It
// tells whether it came to an end, and if so whether there are no other sets.
func (v *view) first(known []int, keep func(finding)) (ended, complete bool) {
	units, found, all := v.batch.smallest(known)
	if found {
		keep(v.finding(units, true))
		return true, v.last(units)
	}
	return all, all
}

// finding adds the fixed units to units.
func (v *view) finding(units []int, smallest bool) finding {
	all := slices.Concat(v.fixed, units)
	slices.Sort(all)
	return finding{all, smallest}
}

// last tells whether a set has no faults, so that there are no other minimal sets.
func (v *view) last(units []int) bool {
	return len(v.graph.Universe.Faults(units)) == 0 && len(v.graph.Universe.Faults(v.fixed)) == 0
}

// enumerate lists the minimal sets in order, by the solver. If known is not nil, it is one
// of the wanted sets, from which the solver starts.
func (v *view) enumerate(ctx context.Context, max int, known []int, keep func(finding)) (complete bool, err error) {
	goal := v.graph.Circuit.Ands(v.target...)
	symmetric := v.symmetric(known)
	search := v.newSearch(v.target[0], slices.Concat(v.target[1:], symmetric.leaders())...)
	defer func() { v.calls += search.Calls() }()
	if known == nil {
		possible, err := search.Possible(ctx)
		if err != nil || !possible {
			return err == nil, err
		}
		if known = v.model(search); known != nil && max == 1 && !v.weighs() { // worth more trying, with a set to beat
			if ended, complete := v.first(known, keep); ended {
				return complete, nil
			}
		}
	}
	switch {
	case max > 1 && symmetric != nil: // further sets are not the first under any names
		v.calls += search.Calls()
		search = v.newSearch(v.target[0], v.target[1:]...)
	case max == 1 && symmetric == nil && known != nil: // there is a set: see easier
		if symmetric = v.symmetric(known); symmetric != nil {
			v.calls += search.Calls()
			search = v.newSearch(v.target[0], slices.Concat(v.target[1:], symmetric.leaders())...)
		}
	}
	if known != nil {
		search.Suggest(v.struck(known))
	}
	return v.list(ctx, search, goal, max, keep)
}

// searcher lists minimal sets, the smallest first: a [solver.Search] or a
// [solver.Descent].
type searcher interface {
	Next(context.Context) (solver.Found, bool, error)
	Assert(solver.Lit)
	Weigh(costs []int)
	Calls() int
}

// list takes the sets from a search for a goal.
func (v *view) list(ctx context.Context, search searcher, goal solver.Lit, max int, keep func(finding)) (complete bool, err error) {
	v.prepare(search, max)
	for range max {
		set, more, err := search.Next(ctx)
		if err != nil || !more {
			return err == nil, err
		}
		units, err := v.complete(ctx, goal, set)
		if err != nil {
			return false, err
		}
		if !set.Minimal {
			units = v.batch.shrink(units)
		}
		keep(v.finding(units, set.Minimal))
		if !set.Minimal { // the reason why the search ended
			return false, cmp.Or(v.graph.Circuit.Err(), context.Cause(ctx))
		}
		if v.last(units) {
			return true, nil
		}
	}
	return false, nil
}

// mostAhead limits the sets of one size, or cost, that are found before they are ordered.
const mostAhead = 10_000

// prepare sets the costs for a search for up to max sets.
func (v *view) prepare(search searcher, max int) {
	if v.weighs() {
		search.Weigh(v.prices())
	}
	if s, ok := search.(*solver.Search); ok && max > 1 { // one by one in order, each takes about half a question for a unit
		s.Ahead = min(max*len(v.units.faults)/2, mostAhead)
	}
}

// proved returns the function that receives the least cost of remaining sets; nil if costs
// are not numbers of faults.
func (v *view) proved() func(int) {
	if v.weighs() {
		return nil
	}
	return v.known.atLeast
}

// model returns units that are on in the solution that a search knows, of which none can be
// left out; nil if they are not a wanted set.
func (v *view) model(s *solver.Search) []int {
	units := []int{}
	for _, unit := range slices.Concat(v.units.faults, v.units.choices) {
		if s.Value(v.graph.Inputs[unit]) {
			units = append(units, unit)
		}
	}
	if v.batch.eval([][]int{units}) == 0 {
		return nil
	}
	return v.batch.shrink(units)
}
