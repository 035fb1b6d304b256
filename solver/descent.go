package solver

import (
	"context"
	"slices"
)

// Descent lists the sets of a Search, in the same order, by a Decider. A Decider learns
// nothing from earlier questions, so a Descent asks few questions: it finds the cost of a
// cheapest set, and then the first such set, by bisection.
type Descent struct {
	Proved func(least int) // called with the least cost of all remaining sets; nil: nothing is called

	solver *Solver
	goal   Lit
	units  []Lit
	costs  []int // by unit; nil: one
	priced []Lit // the units, each as often as it costs
	least  int   // no set that is still to come costs less
	known  []int // a set that is not reported yet
	any    bool  // known has a set
	ended  bool  // nothing more is to come
}

// NewDescent prepares a search for sets of units, which are inputs of c, that make goal true while
// all of valid hold, as NewSearch does.
func NewDescent(c *Circuit, d Decider, goal Lit, valid, units []Lit) *Descent {
	s := &Descent{solver: NewSolver(c), goal: goal, units: slices.Clone(units)}
	s.priced = s.units
	s.solver.By(d)
	for _, l := range valid {
		s.solver.Assert(l)
	}
	return s
}

// Weigh sets the cost of each unit, as Search.Weigh does.
func (s *Descent) Weigh(costs []int) {
	s.costs, s.priced = costs, nil
	for i, u := range s.units {
		s.priced = append(s.priced, slices.Repeat([]Lit{u}, costs[i])...)
	}
}

// cost returns the cost of some units.
func (s *Descent) cost(units []int) (cost int) {
	if s.costs == nil {
		return len(units)
	}
	for _, i := range units {
		cost += s.costs[i]
	}
	return cost
}

// Assert makes l hold from now on.
func (s *Descent) Assert(l Lit) { s.solver.Assert(l) }

// Calls returns the number of formulas decided so far.
func (s *Descent) Calls() int { return s.solver.Calls() }

// Suggest gives the search a set of units that makes the goal true, as a starting point.
func (s *Descent) Suggest(units []int) {
	if !s.any || s.cost(units) < s.cost(s.known) {
		s.known, s.any = slices.Sorted(slices.Values(units)), true
	}
}

// Next finds the next set, as Search.Next does.
func (s *Descent) Next(ctx context.Context) (Found, bool, error) {
	if s.ended {
		return Found{}, false, nil
	}
	if !s.any {
		status, err := s.ask(ctx)
		if status != Sat {
			s.ended = status == Unsat
			return Found{}, false, err
		}
	}
	if err := s.minimize(ctx); err != nil {
		if ctx.Err() == nil && s.solver.circuit.Err() == nil {
			return Found{}, false, err
		}
		return s.report(false), true, nil
	}
	if err := s.prefer(ctx); err != nil && ctx.Err() == nil && s.solver.circuit.Err() == nil {
		return Found{}, false, err
	}
	return s.report(true), true, nil
}

// ask looks for a set under some assumptions, and keeps it.
func (s *Descent) ask(ctx context.Context, assumptions ...Lit) (Status, error) {
	status, err := s.solver.Solve(ctx, append([]Lit{s.goal}, assumptions...)...)
	if status != Sat {
		return status, err
	}
	s.known, s.any = s.known[:0], true
	for i, u := range s.units {
		if s.solver.Value(u) {
			s.known = append(s.known, i)
		}
	}
	return Sat, nil
}

// minimize narrows the bounds on the cost until they meet. Most sets are small, so it does not go
// far beyond the lower one at once.
func (s *Descent) minimize(ctx context.Context) error {
	for s.least < s.cost(s.known) {
		most := min((s.least+s.cost(s.known)-1)/2, 2*s.least+1)
		status, err := s.ask(ctx, s.solver.circuit.AtMost(s.priced, most))
		switch status {
		case Unknown:
			return err
		case Unsat:
			s.least = most + 1
			if s.Proved != nil {
				s.Proved(s.least)
			}
		}
	}
	return nil
}

// prefer replaces the known set, which costs least, by the first set of the same cost,
// unless an error ends it before: it fixes one unit after the other.
func (s *Descent) prefer(ctx context.Context) error {
	fixed := []Lit{s.solver.circuit.AtMost(s.priced, s.least)}
	if s.costs != nil {
		if err := s.fewest(ctx, fixed); err != nil {
			return err
		}
		fixed = append(fixed, s.solver.circuit.AtMost(s.units, len(s.known)))
	}
	from := 0
	for i := range s.known {
		for from < s.known[i] {
			middle := (from + s.known[i] + 1) / 2
			earlier := s.solver.circuit.Ors(s.units[from:middle]...)
			status, err := s.ask(ctx, append(slices.Clone(fixed), earlier)...)
			switch status {
			case Unknown:
				return err
			case Unsat:
				from = middle
			}
		}
		fixed = append(fixed, s.units[s.known[i]])
		from = s.known[i] + 1
	}
	return nil
}

// fewest replaces the known set by one with the fewest units that costs as much.
func (s *Descent) fewest(ctx context.Context, fixed []Lit) error {
	for {
		switch status, err := s.ask(ctx, append(slices.Clone(fixed), s.solver.circuit.AtMost(s.units, len(s.known)-1))...); status {
		case Unknown:
			return err
		case Unsat:
			return nil
		}
	}
}

// report hands out the known set and forbids whatever contains it.
func (s *Descent) report(minimal bool) Found {
	found := Found{Units: slices.Clone(s.known), Minimal: minimal}
	var others []Lit
	for _, i := range s.known {
		others = append(others, s.units[i].Not())
	}
	s.solver.AssertAny(others...)
	s.known, s.any = s.known[:0], false
	return found
}
