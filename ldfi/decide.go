package ldfi

import (
	"context"
	"slices"
	"time"

	"github.com/lineage-driven/ldfi/solver"
)

// answer is what a trial found: fault sets that break the promise, the smallest
// first, each confirmed.
type answer struct {
	found    []Counterexample
	complete bool // no further minimal set exists
}

// verdict returns what the answer means if the search came to its end.
func (a answer) verdict() Verdict {
	if len(a.found) > 0 {
		return Violated
	}
	return Holds
}

// decide finds up to t.options.Max minimal fault sets. With an error the answer
// has what was found before; a set that may not be minimal is not marked so.
func (t *trial) decide(ctx context.Context) (answer, error) {
	start, executing := time.Now(), t.executor.spent
	defer func() { t.searching += time.Since(start) - (t.executor.spent - executing) }()
	t.progress(Progress{Stage: Searching})
	known, _ := t.lanes.probe()
	if t.options.Max == 1 {
		units, found, all := t.lanes.smallest(known)
		switch {
		case found:
			return t.take(ctx, units)
		case all:
			return answer{complete: true}, nil
		}
	}
	return t.enumerate(ctx, known)
}

// take is the answer that has only one set of fault units, a smallest one.
func (t *trial) take(ctx context.Context, units []int) (answer, error) {
	c, err := t.confirm(ctx, units)
	if err != nil {
		return answer{}, err
	}
	c.Minimal = true
	return answer{[]Counterexample{c}, len(units) == 0}, nil
}

// enumerate lets the solver list the minimal fault sets in order of size. A set
// that is known to break the promise, if it is not nil, gives it a start.
func (t *trial) enumerate(ctx context.Context, known []int) (answer, error) {
	search := solver.NewSearch(t.graph.Circuit, t.graph.Circuit.Ands(t.target...), t.graph.Valid, t.graph.Inputs)
	defer func() { t.calls += search.Solver().Calls() }()
	if known != nil {
		search.Suggest(known)
	} else if possible, err := t.screen(ctx, search.Solver()); err != nil || !possible {
		return answer{complete: err == nil}, err
	}
	var a answer
	for len(a.found) < t.options.Max {
		set, more, err := search.Next(ctx)
		if err != nil {
			return a, err
		}
		if !more {
			a.complete = true
			break
		}
		if !set.Minimal {
			set.Units = t.lanes.shrink(set.Units)
		}
		c, err := t.confirm(ctx, set.Units)
		if err != nil {
			return a, err
		}
		c.Minimal = set.Minimal
		a.found = append(a.found, c)
		t.found = len(a.found)
		t.progress(Progress{Stage: Searching})
	}
	return a, nil
}

// screenings is about how many questions screen asks at most.
const screenings = 128

// screen asks the solver about a few goals after the other, which is easier for
// it than all of them at once, until some can be broken. It tells whether some
// can.
func (t *trial) screen(ctx context.Context, s *solver.Solver) (possible bool, err error) {
	for few := range slices.Chunk(t.goals, len(t.goals)/screenings+1) {
		broken := anyOf(t.graph.Circuit, few)
		status, err := s.Solve(ctx, broken)
		if status != solver.Unsat {
			return status == solver.Sat, err
		}
		s.Assert(broken.Not())
	}
	return false, nil
}
