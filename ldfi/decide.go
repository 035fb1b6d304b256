package ldfi

import (
	"context"
	"slices"
	"time"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/solver"
)

// decision is what a search found: fault sets that break the promise, the smallest
// first, each confirmed.
type decision struct {
	found    []result.Counterexample
	complete bool // no further minimal set exists
}

// verdict returns what the decision means if the search came to its end.
func (d decision) verdict() result.Verdict {
	if len(d.found) > 0 {
		return result.Violated
	}
	return result.Holds
}

// search finds up to Options.Max fault sets of which nothing can be left out, the
// smallest first. With an error the decision has what was found before.
func (q *question) search(ctx context.Context) (decision, error) {
	start, executing := time.Now(), q.executor.spent
	defer func() { q.searching += time.Since(start) - (q.executor.spent - executing) }()
	q.searchProgress("searching")
	known, _ := q.batch.probe()
	if q.options.Max == 1 {
		units, found, all := q.batch.smallest(known)
		switch {
		case found:
			return q.take(ctx, units)
		case all:
			return decision{complete: true}, nil
		}
	}
	return q.enumerate(ctx, known)
}

// take is the decision that has only one set of fault units, a smallest one.
func (q *question) take(ctx context.Context, units []int) (decision, error) {
	c, err := q.confirm(ctx, units)
	if err != nil {
		return decision{}, err
	}
	q.fewest(&c)
	if err := q.needed(ctx, &c, units); err != nil {
		return decision{}, err
	}
	return decision{[]result.Counterexample{c}, c.Size == 0}, nil
}

// enumerate lets the solver list the minimal fault sets in order of size. A set
// that is known to break the promise, if it is not nil, gives it a start.
func (q *question) enumerate(ctx context.Context, known []int) (decision, error) {
	goal := q.graph.Circuit.Ands(q.target...)
	search := q.newSearch(goal)
	defer func() { q.calls += search.Solver().Calls() }()
	if known != nil {
		search.Suggest(q.struck(known))
	} else if possible, err := q.screen(ctx, search.Solver(), brokenOf(q.goals)); err != nil || !possible {
		return decision{complete: err == nil}, err
	}
	var d decision
	for len(d.found) < q.options.Max {
		set, more, err := search.Next(ctx)
		if err != nil {
			return d, err
		}
		if !more {
			d.complete = true
			break
		}
		units, err := q.complete(ctx, goal, set)
		if err != nil {
			return d, err
		}
		if !set.Minimal {
			units = q.batch.shrink(units)
		}
		c, err := q.confirm(ctx, units)
		if err != nil {
			return d, err
		}
		c.Irreducible = true
		if set.Minimal && (len(d.found) == 0 || c.Size == d.found[0].Size) {
			q.fewest(&c)
		}
		if err := q.needed(ctx, &c, units); err != nil {
			return d, err
		}
		d.found = append(d.found, c)
		q.found = len(d.found)
		q.searchProgress("searching")
	}
	return d, nil
}

// screenings is about how many questions screen asks at most.
const screenings = 128

// screen asks the solver about a few goals after the other, which is easier for
// it than all of them at once, until some can be broken. It tells whether some
// can.
func (q *question) screen(ctx context.Context, s *solver.Solver, goals []solver.Lit) (possible bool, err error) {
	for few := range slices.Chunk(goals, len(goals)/screenings+1) {
		broken := q.graph.Circuit.Ors(few...)
		status, err := s.Solve(ctx, broken)
		if status != solver.Unsat {
			return status == solver.Sat, err
		}
		s.Assert(broken.Not())
	}
	return false, nil
}
