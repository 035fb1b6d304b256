package ldfi

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
)

// view is a model evaluated over schedules within the bounds: all of them, those of one
// case, or a list. Its findings have still to be executed.
type view struct {
	*Model
	promise *promise
	graph   *provenance.Graph
	partial bool // there are other schedules within the bounds
	gist    bool // of some rounds it is only known whether anything is violated

	goals      []goal
	conditions []solver.Lit // of the assumptions that the schedules searched for meet
	target     []solver.Lit // of the wanted schedules: some goal is broken, by few faults, and the conditions hold
	batch      *batch       // of target; nil where the circuit has truth tables
	units      kinds        // faults and choices that a schedule may have or not
	fixed      []int        // units that each schedule has

	known *knownSets // of the question, if the schedules are all of it; nil else

	within *solver.Solver // a solver for the schedules within the bounds; nil until needed
	calls  int            // of the solver
}

// newView returns the view of the schedules of a graph that break the promise, and meet
// assumptions.
func (m *Model) newView(g *provenance.Graph, w *promise, assumed []*assumption) (*view, error) {
	v := &view{Model: m, promise: w, graph: g, goals: w.goals(g)}
	for round := 1; round <= w.eot && !v.gist; round++ {
		_, v.gist = g.Whole(violationRelation, round)
	}
	v.units = kindsOf(g)
	for unit, input := range g.Inputs {
		if input == solver.True {
			v.fixed = append(v.fixed, unit)
		}
	}
	for _, a := range assumed {
		condition, err := a.condition(g)
		if err != nil {
			return nil, err
		}
		v.conditions = append(v.conditions, condition)
	}
	v.target = slices.Concat([]solver.Lit{g.Circuit.Ors(brokenOf(v.goals)...), v.small()}, v.conditions)
	if !v.tabled() {
		v.batch = newBatch(v, v.target)
	}
	return v, g.Circuit.Err()
}

// tabled tells whether the schedules are a list.
func (v *view) tabled() bool { return v.graph.Circuit.Assignments() > 0 }

// violations returns the violations under the schedule of a set of units, by the circuit.
func (v *view) violations(units []int) []result.Violation {
	holds := v.under(units)
	var broken []result.Violation
	for _, g := range v.goals {
		if holds(g.broken) {
			broken = append(broken, g.violation)
		}
	}
	return broken
}

// under returns the values of literals under the schedule of a set of units.
func (v *view) under(units []int) func(solver.Lit) bool {
	if !v.tabled() {
		return v.batch.under(units)
	}
	place := slices.IndexFunc(v.graph.Among(), func(other []int) bool { return slices.Equal(units, other) })
	return func(l solver.Lit) bool { return v.graph.Circuit.Under(l, place) }
}

// scheduleOf returns the schedule of some units.
func scheduleOf(u *schedules.Universe, units []int) rounds.Schedule {
	return u.Schedule(func(unit int) bool { return slices.Contains(units, unit) })
}

// satisfiable tells whether all of some conditions hold under some schedule of the view.
func (v *view) satisfiable(ctx context.Context, conditions ...solver.Lit) (bool, error) {
	c := v.graph.Circuit
	all := c.Ands(conditions...)
	if c.Err() != nil || all == solver.False || v.tabled() {
		return all != solver.False, c.Err()
	}
	if v.withoutFaults(all) {
		return true, nil
	}
	if v.within == nil {
		v.within = v.withinBounds()
	}
	v.calls++
	status, err := v.within.Solve(ctx, all)
	return status == solver.Sat, err
}

// withoutFaults tells whether a condition holds without faults, if that is one of the
// schedules.
func (v *view) withoutFaults(condition solver.Lit) bool {
	all := v.graph.Circuit.Ands(append(slices.Clone(v.graph.Valid), condition)...)
	words := solver.NewWords(v.graph.Circuit, all)
	words.Eval(nil)
	return words.Value(all)&1 != 0 && len(v.fixed) == 0
}

// withinBounds returns a solver whose solutions are the schedules within the bounds.
func (v *view) withinBounds() *solver.Solver {
	s := solver.NewSolver(v.graph.Circuit)
	if v.options.Decider != nil {
		s.By(v.options.Decider)
	}
	for _, valid := range v.graph.Valid {
		s.Assert(valid)
	}
	return s
}
