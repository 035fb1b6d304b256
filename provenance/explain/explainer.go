package explain

import (
	"slices"

	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// Explainer explains the facts of one world. It keeps the results of one question for the
// next. One goroutine may use it at a time.
type Explainer struct {
	*provenance.World
	messages []recording.Message // that were sent, if that is known
	matters  map[string]bool     // the relations on which the fact of a reason depends

	processes   map[specs.Value]int
	derivations derivations
	held        map[relationRound][]*provenance.Fact
	possible    map[relationRound][]*provenance.Fact
}

type relationRound struct {
	relation string
	round    int
}

// New returns an explainer of a world.
func New(w *provenance.World) *Explainer {
	x := &Explainer{
		World:       w,
		processes:   map[specs.Value]int{},
		derivations: derivations{goals: map[any]*goal{}},
		held:        map[relationRound][]*provenance.Fact{},
		possible:    map[relationRound][]*provenance.Fact{},
	}
	for i, name := range w.Graph.Bounds.Processes {
		x.processes[w.Graph.Program.ProcessValue(name)] = i
	}
	return x
}

// Under returns an explainer of another world of the same graph, which shares the lookups
// in the graph with x.
func (x *Explainer) Under(w *provenance.World) *Explainer {
	other := New(w)
	if w.Graph == x.Graph {
		other.possible = x.possible
	}
	return other
}

// Recorded gives the explainer the recording of its world, so that it can name the messages
// that a fault loses when it has no other effect to name.
func (x *Explainer) Recorded(e *recording.Execution) *Explainer {
	x.messages = e.Messages
	return x
}

// facts returns the possible facts of a relation in a round, sorted.
func (x *Explainer) facts(relation string, round int) []*provenance.Fact {
	key := relationRound{relation, round}
	facts, known := x.possible[key]
	if !known {
		facts = x.Graph.Facts(relation, round)
		x.possible[key] = facts
	}
	return facts
}

// matching returns the facts that a pattern matches.
func (x *Explainer) matching(p Pattern, round int) []*provenance.Fact {
	facts := x.facts(p.Relation, round)
	if len(facts) == 0 || len(facts[0].Args()) != len(p.Columns) {
		return nil
	}
	var all []*provenance.Fact
	for _, f := range facts {
		if p.fits(f.Arg) {
			all = append(all, f)
		}
	}
	return all
}

// holding returns the facts of a relation that hold in a round, sorted.
func (x *Explainer) holding(relation string, round int) []*provenance.Fact {
	key := relationRound{relation, round}
	facts, known := x.held[key]
	if !known {
		facts = slices.DeleteFunc(slices.Clone(x.facts(relation, round)), func(f *provenance.Fact) bool { return !x.Holds(f) })
		x.held[key] = facts
	}
	return facts
}

// anyHolds tells whether some fact of a pattern holds in a round.
func (x *Explainer) anyHolds(p Pattern, round int) bool {
	return slices.ContainsFunc(x.holding(p.Relation, round), func(f *provenance.Fact) bool { return p.matches(f.Args()) })
}
