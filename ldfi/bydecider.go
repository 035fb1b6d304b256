package ldfi

import (
	"cmp"
	"context"

	"github.com/lineage-driven/ldfi/provenance/explain"
	"github.com/lineage-driven/ldfi/solver"
)

// byDecider lists the minimal sets in order, by the decider in place of gini.
func (v *view) byDecider(ctx context.Context, max int, keep func(finding)) (complete bool, err error) {
	goal := v.graph.Circuit.Ands(v.target...)
	search := solver.NewDescent(v.graph.Circuit, v.options.Decider, goal, v.graph.Valid, v.inputs(v.units.faults))
	search.Proved = v.proved()
	defer func() { v.calls += search.Calls() }()
	if known, found := v.batch.probe(); found {
		v.known.knows(v.finding(known, false).units)
		search.Suggest(v.struck(known))
	} else if known, err := v.anything(ctx, goal); known == nil {
		return err == nil, err
	} else {
		search.Suggest(known)
	}
	return v.list(ctx, search, goal, max, keep)
}

// anything looks for a wanted schedule, and returns the faults of one, as a search numbers
// them; nil if there is none. If there are no assumptions, it uses the formula that Export
// writes.
func (v *view) anything(ctx context.Context, goal solver.Lit) (numbers []int, err error) {
	broken := explain.Broken{Graph: v.graph, Condition: goal}
	v.calls++
	status, inputs, err := solver.Decide(ctx, cmp.Or(v.options.Certifier, v.options.Decider), broken.Formula())
	if status != solver.Sat {
		return nil, err
	}
	numbers = []int{}
	for i, l := range v.inputs(v.units.faults) {
		if _, _, _, number := v.graph.Circuit.Node(l); inputs[number] {
			numbers = append(numbers, i)
		}
	}
	return numbers, nil
}
