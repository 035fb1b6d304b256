package provenance

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Graph is the lineage of a program under every schedule within the bounds: all
// possible facts, the firings that give them, and the condition of each over
// the fault variables. It is not changed after Evaluate and may be shared; only
// the circuit may grow.
type Graph struct {
	Program  *dedalus.Program // the part that was evaluated (Options.Only)
	Bounds   rounds.Bounds
	Universe *schedules.Universe // the fault units
	Circuit  *solver.Circuit
	singles  *singles     // nil: faults hit all messages of a kind
	Inputs   []solver.Lit // the variable of each fault unit; with Options.Among or Given it may be any function
	Valid    []solver.Lit // hold for every schedule within the bounds
	Further  []solver.Lit // the variable of each of Options.Further

	values    *values
	relations []*relation
	byName    map[string]*relation
	rules     []*rule
	delivery  *delivery
	facts     int
	firings   int

	sends []Send

	restriction restriction
	pruned      bool // facts that no schedule within the bounds gives were left out
}

// Facts returns the possible facts of a relation in a round, sorted by their
// arguments.
func (g *Graph) Facts(relation string, round int) []*Fact {
	n := g.node(relation, round)
	if n == nil {
		return nil
	}
	facts := slices.Clone(n.facts)
	slices.SortFunc(facts, compareFacts)
	return facts
}

// Find returns the fact with the arguments args, nil if no schedule gives it.
func (g *Graph) Find(relation string, args []specs.Value, round int) *Fact {
	n := g.node(relation, round)
	if n == nil || len(args) != n.relation.arity {
		return nil
	}
	tuple := make([]uint32, len(args))
	for i, v := range args {
		id, known := g.values.ids[v]
		if !known {
			return nil
		}
		tuple[i] = id
	}
	return n.find(tuple)
}

// Among returns the schedules of Options.Among, nil if all within the bounds count.
func (g *Graph) Among() [][]int { return g.restriction.among }

// TotalFacts returns the number of possible facts.
func (g *Graph) TotalFacts() int { return g.facts }

// TotalFirings returns the number of firings.
func (g *Graph) TotalFirings() int { return g.firings }

// node returns the facts of a relation in a round, nil if there is no such
// relation or round.
func (g *Graph) node(relation string, round int) *node {
	r := g.byName[relation]
	if r == nil || round < 1 || round >= len(r.nodes) {
		return nil
	}
	return r.nodes[round]
}

// Fact is a possible fact: it holds under some assignment of the fault variables.
type Fact struct {
	node        *node
	tuple       []uint32
	first, last *Firing
	cond        solver.Lit
	lower       solver.Lit // during a recursion: when it certainly holds
	position    int32      // in node.facts
	vertex      int32      // during a recursion: its number in the grounding
	given       bool
	fixed       bool // cond is its condition, and not yet to be found
}

// Relation returns the name of the fact's relation.
func (f *Fact) Relation() string { return f.node.relation.name }

// Args returns the fact's arguments.
func (f *Fact) Args() []specs.Value {
	args := make([]specs.Value, len(f.tuple))
	for i, id := range f.tuple {
		args[i] = f.node.relation.graph.values.list[id]
	}
	return args
}

// Arg returns the fact's argument in column i.
func (f *Fact) Arg(i int) specs.Value { return f.node.relation.graph.values.list[f.tuple[i]] }

// Round returns the round in which the fact holds; it is 1 for the built-in relation crash,
// whose facts hold in every round.
func (f *Fact) Round() int { return f.node.round }

// Cond returns the condition under which the fact holds, over the fault variables.
func (f *Fact) Cond() solver.Lit { return f.cond }

// Given tells whether the program states the fact itself. A fact of the
// built-in relation crash is neither given nor fired.
func (f *Fact) Given() bool { return f.given }

// Firings returns the firings that give the fact, in a fixed order: the order of the rules,
// unless the fact depends on others of its round in a recursion.
func (f *Fact) Firings() []*Firing {
	var all []*Firing
	for g := f.first; g != nil; g = g.next {
		all = append(all, g)
	}
	return all
}

// SameArgs tells whether two facts of a graph have the same arguments.
func (f *Fact) SameArgs(g *Fact) bool { return slices.Equal(f.tuple, g.tuple) }

// In tells whether the fact belongs to the graph g.
func (f *Fact) In(g *Graph) bool { return f.node.relation.graph == g }

// Ground returns the fact without its lineage.
func (f *Fact) Ground() recording.Fact {
	return recording.Fact{Relation: f.Relation(), Args: f.Args(), Round: f.Round()}
}

// String returns the fact as a program would write it.
func (f *Fact) String() string { return f.Ground().String() }

func compareFacts(a, b *Fact) int {
	values := a.node.relation.graph.values.list
	for i, id := range a.tuple {
		if id != b.tuple[i] {
			return values[id].Compare(values[b.tuple[i]])
		}
	}
	return 0
}

// Firing is one way to derive a fact: a rule and one binding of its variables. A rule that
// aggregates has a group of bindings (Rows).
type Firing struct {
	rule     *rule
	next     *Firing
	env      []uint32 // by slot; for a frozen fact and an aggregate nil
	positive []*Fact  // in the order of the body's positive atoms
	rows     []*Firing
	round    int32
	from, to int16 // of a message that can be lost, as indexes of processes; else -1
	cond     solver.Lit
}

// Rule returns the rule that fires. It is nil where the fact is carried over
// from the round before because its process has stopped (Bounds.CrashStop), and where the environment
// chooses it.
func (f *Firing) Rule() *syntax.Rule {
	return f.rule.source
}

// Round returns the round in which the rule fires: the fact's own, or for @next
// and @async rules the round before; an earlier one if its message comes late or once
// more.
func (f *Firing) Round() int { return int(f.round) }

// Cond returns the condition under which the rule fires with this binding and its
// message arrives.
func (f *Firing) Cond() solver.Lit { return f.cond }

// Positive returns the facts that the firing uses, in the order of the atoms.
func (f *Firing) Positive() []*Fact { return f.positive }

// Rows returns the bindings that an aggregating firing summarises: all that
// some schedule gives for its group. The same rows serve each value of the
// aggregate.
func (f *Firing) Rows() []*Firing { return f.rows }

// Negative returns the absences that the firing needs, in the order of the negated
// atoms.
func (f *Firing) Negative() []*Absence {
	if f.rows != nil {
		return nil
	}
	all := make([]*Absence, len(f.rule.negative))
	for i := range f.rule.negative {
		all[i] = f.absence(&f.rule.negative[i])
	}
	return all
}

// Delivery returns the message that the firing of an @async rule sends, nil for
// other rules. Its condition is True if it cannot be lost.
func (f *Firing) Delivery() *Delivery {
	if f.to < 0 {
		return nil
	}
	g := f.rule.graph
	d := &Delivery{
		To:      g.Bounds.Processes[f.to],
		Of:      f.rule.head.name,
		Round:   int(f.round),
		Arrival: f.arrives(),
		Cond:    f.arrived(),
	}
	if s := g.singles; s != nil {
		d.Nth = s.numbers[f]
	}
	if f.from >= 0 {
		d.From = g.Bounds.Processes[f.from]
	}
	return d
}

// Bindings returns the values of the rule's variables, in the order in which
// they first occur in the rule.
func (f *Firing) Bindings() []Binding {
	if f.rule.source == nil {
		return nil
	}
	all := make([]Binding, len(f.env))
	for i, id := range f.env {
		all[i] = Binding{Name: f.rule.variables[i], Value: f.rule.graph.values.list[id]}
	}
	return all
}

// Value returns the value of a variable of the firing's rule; the zero value if it
// has none.
func (f *Firing) Value(variable string) specs.Value {
	i := slices.Index(f.rule.variables, variable)
	if i < 0 {
		return specs.Value{}
	}
	return f.rule.graph.values.list[f.env[i]]
}

// Absence is a negated atom of a firing: it holds when none of Facts does.
type Absence struct {
	Atom  *syntax.Atom
	Round int           // the round in which the relation is read
	Args  []specs.Value // the atom's arguments under the firing's binding
	Free  []bool        // which of the arguments are free, because any value counts
	Facts []*Fact       // the possible facts that match
}

// Delivery is a message to a process in a round. From is empty if the rule has
// no location.
type Delivery struct {
	From, To string
	Of       string // its relation
	Nth      int    // its number, if faults hit it alone (Options.Single)
	Round    int
	Arrival  int        // Round, or a later one: it is late, or comes once more
	Cond     solver.Lit // when it arrives then
}

// Binding is a variable of a rule and its value in a firing.
type Binding struct {
	Name  string
	Value specs.Value
}

// Growth returns the relations with the number of their possible facts over all
// rounds, the largest first.
func (g *Graph) Growth() []recording.Growth {
	var all []recording.Growth
	for _, r := range g.relations {
		n := 0
		for t, node := range r.nodes {
			if node != nil && node.round == t {
				n += len(node.facts)
			}
		}
		all = append(all, recording.Growth{Relation: r.name, Facts: n})
	}
	slices.SortStableFunc(all, func(a, b recording.Growth) int { return b.Facts - a.Facts })
	return all
}
