package ldfi

import (
	"context"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
)

// Goals of good and witnessed promises expect the facts of the run without faults, with the
// same choices if the environment has some.

// refers tells whether the promise refers to the run without faults.
func (w *promise) refers() bool { return w.good || w.prePost && w.witnessed }

// expectedOf returns the tuples of post, or of good, sorted.
func (w *promise) expectedOf(faultless outcome) [][]specs.Value {
	switch {
	case w.good:
		return cloneTuples(faultless.Facts(goodRelation, w.eot))
	case w.prePost:
		return cloneTuples(faultless.Facts(postRelation, w.eot))
	}
	return nil
}

// expected returns the facts of the run without faults that has the choices of a schedule.
func (x *executor) expected(ctx context.Context, s rounds.Schedule) ([][]specs.Value, error) {
	chosen := choicesOf(s)
	if len(chosen.Faults) == 0 || !x.promise.refers() {
		return x.promise.expected, nil
	}
	key := chosen.Normal().String()
	if known, ok := x.choices[key]; ok {
		return known, nil
	}
	run, err := x.run(ctx, chosen)
	if err != nil {
		return nil, err
	}
	if x.choices == nil {
		x.choices = map[string][][]specs.Value{}
	}
	x.choices[key] = x.promise.expectedOf(run)
	return x.choices[key], nil
}

// faultless returns conditions for the run without faults, over the choices.
func faultless(g *provenance.Graph, conditions ...solver.Lit) []solver.Lit {
	if g.Circuit.Assignments() > 0 {
		return faultlessTables(g, conditions)
	}
	c := g.Circuit
	inputs := make([]solver.Lit, c.Inputs())
	set := func(input, to solver.Lit) {
		_, _, _, number := c.Node(input)
		inputs[number] = to
	}
	for unit, input := range g.Inputs {
		to := solver.False
		if g.Universe.IsChoice(unit) {
			to = input
		}
		set(input, to)
	}
	for _, input := range g.Further {
		set(input, input)
	}
	return c.Graft(c, inputs, conditions...)
}

// faultlessTables is faultless for a list of schedules that also has their choices without
// faults.
func faultlessTables(g *provenance.Graph, conditions []solver.Lit) []solver.Lit {
	places := map[string]int{}
	for i, units := range g.Among() {
		if len(g.Universe.Faults(units)) == 0 {
			places[fmt.Sprint(units)] = i
		}
	}
	tables := make([][]uint64, len(conditions))
	for i, units := range g.Among() {
		base := places[fmt.Sprint(units[len(g.Universe.Faults(units)):])]
		for k, condition := range conditions {
			if tables[k] == nil {
				tables[k] = make([]uint64, len(g.Among())/64+1)
			}
			if g.Circuit.Under(condition, base) {
				tables[k][i/64] |= 1 << (i % 64)
			}
		}
	}
	lits := make([]solver.Lit, len(conditions))
	for k, table := range tables {
		lits[k] = g.Circuit.InputTable(table)
	}
	return lits
}

// withFaultless appends to a list of schedules their choices without faults.
func withFaultless(u *schedules.Universe, list [][]int) [][]int {
	known := map[string]bool{}
	for _, units := range list {
		known[fmt.Sprint(units)] = true
	}
	all := slices.Clone(list)
	for _, units := range list {
		chosen := units[len(u.Faults(units)):]
		if key := fmt.Sprint(chosen); !known[key] {
			known[key] = true
			all = append(all, chosen)
		}
	}
	return all
}

// expects returns the possible facts of a relation in the last round, and when each is
// expected: nil if that does not depend on choices.
func (w *promise) expects(g *provenance.Graph, relation string) ([]*provenance.Fact, []solver.Lit) {
	if g.Universe.Choices() == 0 {
		return nil, nil
	}
	facts := g.Facts(relation, w.eot)
	conditions := make([]solver.Lit, len(facts))
	for i, f := range facts {
		conditions[i] = f.Cond()
	}
	return facts, faultless(g, conditions...)
}
