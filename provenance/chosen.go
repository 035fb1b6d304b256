package provenance

import (
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
)

// giveChoices adds the facts that the environment can choose, each with a firing
// that says when it does.
func (ev *evaluation) giveChoices() {
	for _, c := range ev.graph.Bounds.Choose {
		others := solver.False
		for _, f := range c.Others() {
			holds := solver.False
			if unit, ok := ev.graph.Universe.Index(f); ok {
				holds = ev.graph.Inputs[unit]
			}
			ev.giveChosen(f, holds, nil)
			others = ev.circuit.Or(others, holds)
		}
		if f, ok := c.Default(); ok {
			ev.giveChosen(f, others.Not(), append([]rounds.Fault{}, c.Others()...))
		}
	}
}

// choice is a fact that the environment chooses, by default unless it chooses
// another one.
type choice struct {
	fact   rounds.Fault
	unless []rounds.Fault
}

// giveChosen adds a fact that the environment chooses under a condition.
func (ev *evaluation) giveChosen(f rounds.Fault, holds solver.Lit, unless []rounds.Fault) {
	name, args := f.Fact()
	r := ev.graph.byName[name]
	if holds == solver.False || r == nil || name == syntax.Crash || r.arity != len(args) {
		return
	}
	fact := ev.fact(r.nodes[f.Round], ev.numbered(args))
	if fact.given {
		return
	}
	chosen := &rule{graph: ev.graph, head: r, destination: -1, choice: &choice{f, unless}}
	ev.conclude(fact, ev.firing(chosen, f.Round, holds))
	fact.cond, fact.lower, fact.fixed = holds, holds, len(r.rules) == 0
}

// Choice returns the choice of the environment that the firing is: the fact chosen and,
// if that is a default, the facts that replace it. It returns false for a firing of a
// rule.
func (f *Firing) Choice() (chosen rounds.Fault, unless []rounds.Fault, ok bool) {
	if f.rule.choice == nil {
		return rounds.Fault{}, nil, false
	}
	return f.rule.choice.fact, f.rule.choice.unless, true
}

// Chosen tells whether the environment chooses the fact: the firing is none of a
// rule.
func (f *Firing) Chosen() bool { return f.rule.choice != nil }
