package ldfi

import (
	"context"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/solver"
)

// mostCores is how many sets of assumptions are tried in search of a smaller
// conflict.
const mostCores = 1000

// conflict finds the smallest set of assumptions under which the promise
// cannot be broken.
func (q *question) conflict(ctx context.Context, assumed []*assumption) (*result.Conflict, error) {
	s := q.withinBounds()
	defer func() { q.calls += s.Calls() }()
	core, err := smallestCore(ctx, s, q.target[0], assumed)
	if err != nil {
		return nil, err
	}
	c := &result.Conflict{}
	for _, a := range core {
		if a.forbids {
			c.Forbid = append(c.Forbid, a.text)
		} else {
			c.Require = append(c.Require, a.text)
		}
	}
	if len(core) > 0 {
		status, err := s.Solve(ctx, conditionsOf(core)...)
		if err != nil {
			return nil, err
		}
		c.Scope = status == solver.Unsat
	}
	return c, nil
}

// smallestCore returns the smallest set of assumptions that cannot hold
// together with broken; among many assumptions, one that cannot be reduced.
func smallestCore(ctx context.Context, s *solver.Solver, broken solver.Lit, assumed []*assumption) ([]*assumption, error) {
	lits, _, err := s.MinimalCore(ctx, append([]solver.Lit{broken}, conditionsOf(assumed)...)...)
	if err != nil {
		return nil, err
	}
	core := among(assumed, lits)
	tried := 0
	for size := range len(core) {
		for set := range subsets(len(assumed), size) {
			if tried++; tried > mostCores {
				return core, nil
			}
			smaller := make([]*assumption, size)
			for i, n := range set {
				smaller[i] = assumed[n]
			}
			status, err := s.Solve(ctx, append([]solver.Lit{broken}, conditionsOf(smaller)...)...)
			if err != nil {
				return nil, err
			}
			if status == solver.Unsat {
				return smaller, nil
			}
		}
	}
	return core, nil
}

func conditionsOf(assumed []*assumption) []solver.Lit {
	lits := make([]solver.Lit, len(assumed))
	for i, a := range assumed {
		lits[i] = a.holds
	}
	return lits
}

// among returns the first assumption for each of the literals that is one.
func among(assumed []*assumption, lits []solver.Lit) []*assumption {
	wanted := map[solver.Lit]bool{}
	for _, l := range lits {
		wanted[l] = true
	}
	var core []*assumption
	for _, a := range assumed {
		if wanted[a.holds] {
			core = append(core, a)
			delete(wanted, a.holds)
		}
	}
	return core
}

// subsets yields the sets of so many of the numbers below n, in order. What it
// yields is valid until the next.
func subsets(n, size int) func(yield func([]int) bool) {
	return func(yield func([]int) bool) {
		set := make([]int, size)
		var fill func(place, from int) bool
		fill = func(place, from int) bool {
			if place == size {
				return yield(set)
			}
			for set[place] = from; set[place] <= n-size+place; set[place]++ {
				if !fill(place+1, set[place]+1) {
					return false
				}
			}
			return true
		}
		fill(0, 0)
	}
}
