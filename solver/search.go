package solver

import (
	"context"
	"slices"
)

// Found is a set of units that makes the goal of a Search true when all other units are false.
type Found struct {
	Units   []int // indices into the units of the search, ascending
	Minimal bool  // proven: no cheaper set but those reported before and their supersets
}

// Search lists the minimal sets of units that make a goal true, ordered by cost, then by
// size, then by the indexes of their units. A unit costs one unless Weigh sets another
// cost. A set is minimal if no proper subset makes the goal true. The order is total: the
// list does not depend on how sets are found.
type Search struct {
	Proved  func(least int) // called with the least cost of all remaining sets; nil: nothing is called
	Workers int             // the most cores to use, 1 if it is 0; to be set before the search begins
	Ahead   int             // the most sets of the same cost that are found before they are ordered

	circuit  *Circuit
	solvers  [4]*Solver // of each worker one for each encoding, made when they are needed
	asserted [][]Lit    // clauses: in each, one literal has to hold
	told     [4]int     // by solver: how many of the clauses it has
	front    encoding   // with which to begin
	effort   effort
	spent    int // work so far

	parts []*part // the goal is the OR of these
	units []Lit
	bound *bound
	model *Solver // has the last solution
	core  []Lit   // after solve found nothing: assumptions that are to blame
	known []int   // a solution that is not reported yet
	any   bool    // known has a set
	first bool    // known is the first in order among the sets of its cost
	ended bool    // nothing more is to come
	level level
	most  int // work that there is to be; 0: any
}

// NewSearch prepares a search for sets of units, which are inputs of c, that make goal true while
// all of valid hold. Inputs of c that are no units may have any value. The search adds gates to c.
func NewSearch(c *Circuit, goal Lit, valid, units []Lit) *Search {
	s := &Search{
		circuit: c,
		parts:   c.parts(goal),
		units:   slices.Clone(units),
		bound:   newBound(c, units, nil),
		effort:  usual,
		level:   level{cost: -1},
	}
	for _, l := range valid {
		s.Assert(l)
	}
	s.solver(0, dissolved)
	return s
}

// Weigh sets the cost of each unit, which is at least one. It must be called before the
// search begins.
func (s *Search) Weigh(costs []int) { s.bound = newBound(s.circuit, s.units, costs) }

// Assert makes l hold in all sets that are still to come.
func (s *Search) Assert(l Lit) { s.asserted = append(s.asserted, []Lit{l}) }

// Calls returns the number of calls of solvers so far.
func (s *Search) Calls() int {
	calls := 0
	for _, solver := range s.solvers {
		if solver != nil {
			calls += solver.Calls()
		}
	}
	return calls
}

// solver returns the solver of a worker with an encoding. It has all asserted clauses.
func (s *Search) solver(worker int, e encoding) *Solver {
	number := 2*worker + int(e)
	solver := s.solvers[number]
	fresh := solver == nil
	if fresh {
		solver = &Solver{circuit: s.circuit, cnf: newCNF(s.circuit, e)}
		s.solvers[number] = solver
	}
	for _, lits := range s.asserted[s.told[number]:] {
		if len(lits) == 1 {
			solver.Assert(lits[0])
		} else {
			solver.AssertAny(lits...)
		}
	}
	s.told[number] = len(s.asserted)
	if fresh {
		for _, p := range open(s.parts) {
			solver.cnf.lit(p.goal) // all before the first question: gini looks at every clause after a change
		}
	}
	return solver
}

// Suggest gives the search a set of units that makes the goal true, as a starting point.
func (s *Search) Suggest(units []int) {
	if !s.any || s.bound.of(units) < s.bound.of(s.known) {
		s.known, s.any = slices.Clone(units), true
		slices.Sort(s.known)
	}
}

// Possible tells whether there is another set. If there is, the search knows one.
func (s *Search) Possible(ctx context.Context) (bool, error) {
	if s.ended || s.any {
		return s.any, nil
	}
	switch status, err := s.solve(ctx); status {
	case Unknown:
		return false, err
	case Unsat:
		s.ended = true
		return false, nil
	}
	s.learn()
	return true, nil
}

// Value returns the value of l in the last assignment that Possible found. That may
// have many units.
func (s *Search) Value(l Lit) bool { return s.model.Value(l) }

// Next finds the next set; it returns false when there is none. If the context ends, or
// the circuit reaches its limit, when a set is known and its cost is not proven, Next
// returns that set as not minimal, and the next call returns the error.
func (s *Search) Next(ctx context.Context) (Found, bool, error) {
	if s.level.ready() {
		return s.level.take(), true, nil
	}
	possible, err := s.Possible(ctx)
	if possible {
		err = s.minimize(ctx)
	}
	switch {
	case len(s.level.sets) > 0 && (!possible || err != nil || s.level.cost < s.bound.least): // no others come before
		s.level.all = true
		return s.level.take(), true, nil
	case !possible:
		return Found{}, false, err
	case err != nil && ctx.Err() == nil && s.circuit.Err() == nil:
		return Found{}, false, err
	case err != nil:
		return Found{Units: s.keep()}, true, nil
	case s.level.cost < s.bound.least:
		s.gather(ctx)
	}
	if !s.level.ready() && !s.first {
		s.prefer(ctx)
		s.first = true
	}
	if s.level.ready() || s.level.before(s.known) {
		return s.level.take(), true, nil
	}
	return Found{Units: s.keep(), Minimal: true}, true, nil
}

// solve looks for a solution of any part of the goal.
func (s *Search) solve(ctx context.Context, assumptions ...Lit) (Status, error) {
	if err := s.circuit.Err(); err != nil {
		return Unknown, err
	}
	if ctx.Err() != nil {
		return Unknown, stopped(ctx)
	}
	r := s.race(ctx, assumptions)
	r.run()
	s.model, s.core = r.winner, r.core
	if r.err != nil && ctx.Err() != nil {
		return Unknown, stopped(ctx)
	}
	return r.status, r.err
}

// learn takes the model as a solution.
func (s *Search) learn() {
	s.known, s.any, s.first = s.known[:0], true, false
	for i, u := range s.units {
		if s.model.Value(u) {
			s.known = append(s.known, i)
		}
	}
}

// minimize raises the bound until the known solution, or another, meets it.
func (s *Search) minimize(ctx context.Context) error {
	for s.bound.of(s.known) > s.bound.least {
		status, err := s.solve(ctx, s.bound.assumptions()...)
		switch status {
		case Unknown:
			return err
		case Sat:
			s.learn()
		case Unsat:
			s.raise()
		}
	}
	return nil
}

// raise raises the bound after nothing was found that meets it.
func (s *Search) raise() {
	s.bound.raise(s.core)
	if s.Proved != nil {
		s.Proved(s.bound.least)
	}
}

// prefer replaces the known solution, which costs least, by the first one of the same cost,
// unless the context ends before.
func (s *Search) prefer(ctx context.Context) {
	assumptions := s.bound.assumptions()
	if !s.bound.even {
		fewest, err := s.fewest(ctx, assumptions)
		if err != nil {
			return
		}
		assumptions = append(assumptions, fewest)
	}
	from := 0
	for i := 0; i < len(s.known); {
		earlier := s.circuit.Ors(s.units[from:s.known[i]]...)
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

// fewest replaces the known solution by one with the fewest units at the same cost, and
// returns a literal that is true for solutions with at most that many units.
func (s *Search) fewest(ctx context.Context, assumptions []Lit) (Lit, error) {
	for {
		status, err := s.solve(ctx, append(slices.Clone(assumptions), s.circuit.AtMost(s.units, len(s.known)-1))...)
		switch status {
		case Unknown:
			return False, err
		case Unsat:
			return s.circuit.AtMost(s.units, len(s.known)), nil
		}
		s.learn()
	}
}
