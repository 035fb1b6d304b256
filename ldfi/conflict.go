package ldfi

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/solver"
)

// mostCores limits the sets of assumptions that are tried in search of a smaller conflict.
const mostCores = 1000

// conflict finds the smallest set of assumptions under which the promise
// cannot be broken.
func (q *question) conflict(ctx context.Context, all views) (*result.Conflict, error) {
	core, err := q.smallestCore(ctx, all)
	if err != nil {
		return nil, err
	}
	c := &result.Conflict{}
	for _, n := range core {
		if a := q.assumed[n]; a.forbids {
			c.Forbid = append(c.Forbid, a.text)
		} else {
			c.Require = append(c.Require, a.text)
		}
	}
	if len(core) > 0 {
		met, err := all.meet(ctx, func(v *view) []solver.Lit { return v.conditionsOf(core) })
		if err != nil {
			return nil, err
		}
		c.Scope = !met
	}
	return c, nil
}

// smallestCore returns the first of the smallest sets of assumptions that cannot hold
// together with a broken promise; among many assumptions, one that cannot be reduced.
func (q *question) smallestCore(ctx context.Context, all views) ([]int, error) {
	possible := func(core []int) (bool, error) {
		return all.meet(ctx, func(v *view) []solver.Lit { return append(v.conditionsOf(core), v.target[0]) })
	}
	tried := 0
	for size := range len(q.assumed) {
		for core := range subsets(len(q.assumed), size) {
			if tried++; tried > mostCores {
				return q.reducedCore(possible)
			}
			if broken, err := possible(core); err != nil || !broken {
				return slices.Clone(core), err
			}
		}
	}
	return q.every(), nil
}

// every returns all assumptions.
func (q *question) every() []int {
	all := make([]int, len(q.assumed))
	for n := range all {
		all[n] = n
	}
	return all
}

// reducedCore leaves out assumptions until none can be left out.
func (q *question) reducedCore(possible func([]int) (bool, error)) ([]int, error) {
	core := q.every()
	for i := 0; i < len(core); {
		fewer := schedules.LeaveOut(core, i)
		broken, err := possible(fewer)
		if err != nil {
			return nil, err
		}
		if broken {
			i++
		} else {
			core = fewer
		}
	}
	return core, nil
}

// conditionsOf returns the conditions of some of the assumptions.
func (v *view) conditionsOf(assumed []int) []solver.Lit {
	lits := make([]solver.Lit, len(assumed))
	for i, n := range assumed {
		lits[i] = v.conditions[n]
	}
	return lits
}

// subsets yields the sets of size of the numbers below n, in order. A set is valid until
// the next one.
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
