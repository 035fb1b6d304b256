package solver

import (
	"context"
	"slices"
)

// Found is a set of units that makes the goal of a Search true when all other units are false.
type Found struct {
	Units   []int // indices into the units of the search, ascending
	Minimal bool  // proven: no smaller set but those reported before and what contains them
}

// Search lists the minimal sets of units that make a goal true, smallest first; among sets of
// the same size the one with the earlier units comes first. A set is minimal when no part of it makes
// the goal true as well.
type Search struct {
	solver *Solver
	goals  []Lit // the goal is any of these
	units  []Lit
	bound  *bound
	core   []Lit // after solve found nothing: assumptions that are to blame
	known  []int // a solution that is not reported yet
	any    bool  // there is one in known
	ended  bool  // nothing more is to come
}

// NewSearch prepares a search for sets of units, which are inputs of c, that make goal true while
// all of valid hold. Inputs of c that are no units may have any value. The search adds gates to c.
func NewSearch(c *Circuit, goal Lit, valid, units []Lit) *Search {
	s := &Search{
		solver: NewSolver(c),
		goals:  c.parts(goal),
		units:  slices.Clone(units),
		bound:  newBound(c, units),
	}
	for _, l := range valid {
		s.solver.Assert(l)
	}
	for _, l := range s.goals {
		s.solver.cnf.lit(l) // all before the first question: gini looks at every clause after a change
	}
	return s
}

// partSize is how many ways to reach a goal are asked for at once. Measured on goals with
// 2,000 of them: asking for each alone takes twice as long, asking for all up to thirty times.
const partSize = 32

// parts takes apart a goal that is an OR into goals of which one must hold.
func (c *Circuit) parts(goal Lit) []Lit {
	var parts []Lit
	for ways := range slices.Chunk(c.conjuncts(goal.Not()), partSize) {
		for i := range ways {
			ways[i] = ways[i].Not()
		}
		parts = append(parts, c.Ors(ways...))
	}
	return parts
}

// Solver is the solver that the search uses. What is asserted on it restricts the sets still to come.
func (s *Search) Solver() *Solver { return s.solver }

// Assert makes l hold from now on.
func (s *Search) Assert(l Lit) { s.solver.Assert(l) }

// Calls is how often the solver was asked so far.
func (s *Search) Calls() int { return s.solver.Calls() }

// Suggest tells the search a set of units that makes the goal true, for it to start from.
func (s *Search) Suggest(units []int) {
	if !s.any || len(units) < len(s.known) {
		s.known, s.any = slices.Clone(units), true
		slices.Sort(s.known)
	}
}

// Next finds the next set; the answer is false when there is no other. If the context ends, or the
// circuit reaches its limit, when a set is known but nothing proven about its size, that set is
// reported as not minimal; the call after that gives the error.
func (s *Search) Next(ctx context.Context) (Found, bool, error) {
	if s.ended {
		return Found{}, false, nil
	}
	if !s.any {
		switch status, err := s.solve(ctx); status {
		case Unknown:
			return Found{}, false, err
		case Unsat:
			s.ended = true
			return Found{}, false, nil
		}
		s.learn()
	}
	if err := s.minimize(ctx); err != nil {
		if ctx.Err() == nil && s.solver.circuit.Err() == nil {
			return Found{}, false, err
		}
		return s.report(false), true, nil
	}
	s.prefer(ctx)
	return s.report(true), true, nil
}

// solve looks for a solution of any goal. A goal that cannot hold at all is not asked for again.
func (s *Search) solve(ctx context.Context, assumptions ...Lit) (Status, error) {
	s.core = nil
	open := s.goals[:0]
	for i, goal := range s.goals {
		status, err := s.solver.Solve(ctx, append(slices.Clone(assumptions), goal)...)
		if status != Unsat {
			s.goals = append(open, s.goals[i:]...)
			return status, err
		}
		if s.blame(goal) {
			open = append(open, goal)
		} else {
			s.solver.Assert(goal.Not())
		}
	}
	s.goals = open
	return Unsat, nil
}

// blame adds to the core the assumptions that contradict goal, and says whether there are any.
func (s *Search) blame(goal Lit) bool {
	blamed := false
	for _, l := range s.solver.core {
		if l == goal {
			continue
		}
		blamed = true
		if !slices.Contains(s.core, l) {
			s.core = append(s.core, l)
		}
	}
	return blamed
}

// learn takes the solver's model as a solution.
func (s *Search) learn() {
	s.known, s.any = s.known[:0], true
	for i, u := range s.units {
		if s.solver.Value(u) {
			s.known = append(s.known, i)
		}
	}
}

// minimize raises the bound until the known solution, or another, meets it.
func (s *Search) minimize(ctx context.Context) error {
	for len(s.known) > s.bound.least {
		status, err := s.solve(ctx, s.bound.assumptions()...)
		switch status {
		case Unknown:
			return err
		case Sat:
			s.learn()
		case Unsat:
			s.bound.raise(s.core)
		}
	}
	return nil
}

// prefer replaces the known solution, which is smallest, by the one of the same size that comes
// first, unless the context ends before.
func (s *Search) prefer(ctx context.Context) {
	assumptions := s.bound.assumptions()
	from := 0
	for i := 0; i < len(s.known); {
		earlier := s.solver.circuit.Ors(s.units[from:s.known[i]]...)
		status := Unsat
		if earlier != False {
			status, _ = s.solve(ctx, append(slices.Clone(assumptions), earlier)...)
		}
		switch status {
		case Unknown:
			return
		case Sat:
			s.learn()
		case Unsat:
			assumptions = append(assumptions, s.units[s.known[i]])
			from = s.known[i] + 1
			i++
		}
	}
}

// report hands out the known solution and forbids whatever contains it.
func (s *Search) report(minimal bool) Found {
	found := Found{Units: slices.Clone(s.known), Minimal: minimal}
	var others []Lit
	for _, i := range s.known {
		others = append(others, s.units[i].Not())
	}
	s.solver.AssertAny(others...)
	s.known, s.any = s.known[:0], false
	return found
}
