package ldfi

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/solver"
)

// finding is a set of units, sorted, that breaks the promise and of which nothing can be
// left out.
type finding struct {
	units    []int
	smallest bool // in its place: what comes before it in order is found before it, or breaks nothing
}

// sets finds up to so many sets in order, and hands each to keep. It tells whether there
// are no others.
func (v *view) sets(ctx context.Context, max int, keep func(finding)) (complete bool, err error) {
	if v.options.Decider != nil {
		return v.byDecider(ctx, max, keep)
	}
	known, _ := v.batch.probe()
	if max == 1 {
		units, found, all := v.batch.smallest(known)
		if found {
			keep(v.finding(units, true))
			return v.last(units), nil
		} else if all {
			return true, nil
		}
	}
	return v.enumerate(ctx, max, known, keep)
}

// finding adds to units those that are fixed.
func (v *view) finding(units []int, smallest bool) finding {
	all := slices.Concat(v.fixed, units)
	slices.Sort(all)
	return finding{all, smallest}
}

// last tells whether a set has no faults, so that there are no other minimal ones.
func (v *view) last(units []int) bool {
	return len(v.graph.Universe.Faults(units)) == 0 && len(v.graph.Universe.Faults(v.fixed)) == 0
}

// enumerate lets the solver list the minimal sets in order. A set that is known to be one
// of those that are searched for, if it is not nil, gives it a start.
func (v *view) enumerate(ctx context.Context, max int, known []int, keep func(finding)) (complete bool, err error) {
	goal := v.graph.Circuit.Ands(v.target...)
	symmetric := v.symmetric()
	search := v.newSearch(goal, symmetric.leaders()...)
	defer func() { v.calls += search.Solver().Calls() }()
	if known != nil {
		search.Suggest(v.struck(known))
	} else if possible, err := v.screen(ctx, search.Solver(), symmetric.together(v.goals)); err != nil || !possible {
		return err == nil, err
	}
	if symmetric != nil && max > 1 { // further sets are not the first under any names
		v.calls += search.Solver().Calls()
		search = v.newSearch(goal)
	}
	return v.list(ctx, search, goal, max, keep)
}

// searcher lists minimal sets, the smallest first: a [solver.Search] or a
// [solver.Descent].
type searcher interface {
	Next(context.Context) (solver.Found, bool, error)
	Assert(solver.Lit)
	Calls() int
}

// list takes the sets from a search for a goal.
func (v *view) list(ctx context.Context, search searcher, goal solver.Lit, max int, keep func(finding)) (complete bool, err error) {
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
		if v.last(units) {
			return true, nil
		}
	}
	return false, nil
}

// screenings is about how many questions screen asks at most.
const screenings = 128

// screen asks the solver about a few goals after the other, which is easier for
// it than all of them at once, until some can be broken. It tells whether some
// can.
func (v *view) screen(ctx context.Context, s *solver.Solver, goals []solver.Lit) (possible bool, err error) {
	for few := range slices.Chunk(goals, len(goals)/screenings+1) {
		broken := v.graph.Circuit.Ors(few...)
		status, err := s.Solve(ctx, broken)
		if status != solver.Unsat {
			return status == solver.Sat, err
		}
		s.Assert(broken.Not())
	}
	return false, nil
}
