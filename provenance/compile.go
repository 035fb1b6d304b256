package provenance

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// rule is a compiled rule: its variables have slots, its atoms their relations.
type rule struct {
	graph       *Graph
	source      *syntax.Rule // nil for a rule that freezes a relation
	kind        syntax.Kind
	head        *relation
	columns     []operand   // of the head; of an aggregate the slot that it ranges over
	aggregates  []aggregate // columns of the head
	location    *operand    // nil if it always fires
	destination int         // slot of the variable that ranges over all processes, -1
	frozen      bool        // it fires only where its process has stopped
	choice      *choice     // no rule: the environment chooses its fact
	whether     bool        // it only matters when it fires
	late        int         // its messages arrive this many rounds after they were sent
	flight      int         // in a Step: its messages are under way, and come this many rounds late

	variables []string // by slot
	slots     int      // also those of computed columns, after those of variables
	positive  []atom
	negative  []atom
	tests     []*operand
	plans     []*plan  // by the positive atom that comes first
	lookups   []step   // by negative atom
	reduced   *reduced // nil until it is needed
}

// aggregate is a column of a head that summarises the values of a variable.
type aggregate struct {
	column   int
	function string
	slot     int
	per      []int // the slots of the columns that tell equal values apart
}

// atom is a compiled body atom.
type atom struct {
	source   *syntax.Atom
	relation *relation
	at       int // "@N", or 0
	columns  []column
}

// round returns the round in which a rule firing in round t reads the atom.
func (a *atom) round(t int) int {
	if a.at > 0 {
		return a.at
	}
	return t
}

// node returns the facts that a rule firing in round t reads, nil if the atom
// reads beyond the last round.
func (a *atom) node(t int) *node {
	if t = a.round(t); t < len(a.relation.nodes) {
		return a.relation.nodes[t]
	}
	return nil
}

// column is an argument of a body atom.
type column struct {
	value *operand // nil if any value matches
	slot  int      // of a positive atom's computed column, where its value is put; else -1
	local int      // of a negated atom's wildcard variable, its number; else -1
}

// compiler builds the relations and rules of a graph. What it builds is good for
// nothing once it has an error: the first one stays.
type compiler struct {
	graph *Graph
	err   error
}

// fail keeps an error, unless there is one.
func (c *compiler) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

// compile fills in the graph's relations and rules.
func compile(g *Graph) error {
	c := &compiler{graph: g}
	for _, f := range g.Program.Facts {
		c.declare(f.Relation, len(f.Args), f.Position)
	}
	for _, choice := range g.Program.Choices {
		c.declare(choice.Relation, len(choice.Columns), choice.Position)
	}
	for _, r := range g.Program.Rules {
		c.declare(r.Head.Relation, len(r.Head.Args), r.Head.Position)
		for _, t := range r.Body {
			if t.Atom != nil {
				c.declare(t.Atom.Relation, len(t.Atom.Args), t.Atom.Position)
			}
		}
	}
	if c.err != nil {
		return c.err
	}
	for _, r := range g.Program.Rules {
		c.add(c.rule(r))
		c.addLate(r)
	}
	if g.Bounds.CrashStop && g.Bounds.Crashes != 0 {
		c.freeze()
	}
	return c.err
}

// declare makes a relation if it is not there.
func (c *compiler) declare(name string, arity int, where specs.Position) {
	if r := c.graph.byName[name]; r != nil {
		if r.arity != arity {
			c.fail("%s: relation %s has %d columns here and %d elsewhere", where, name, arity, r.arity)
		}
		return
	}
	r := &relation{graph: c.graph, name: name, number: len(c.graph.relations), arity: arity}
	r.volatile = arity > 0 && restarting(c.graph.Bounds) && !slices.Contains(c.graph.Bounds.Durable, name)
	eot := c.graph.Bounds.EOT
	nodes := make([]node, eot)
	r.nodes = make([]*node, eot+1)
	for t := 1; t <= eot; t++ {
		nodes[t-1] = node{relation: r, round: t}
		r.nodes[t] = &nodes[t-1]
		if name == syntax.Crash { // its facts are the same in every round
			r.nodes[t] = &nodes[0]
		}
	}
	c.graph.relations = append(c.graph.relations, r)
	c.graph.byName[name] = r
}

func (c *compiler) add(r *rule) {
	r.plans = make([]*plan, max(1, len(r.positive)))
	for i := range r.negative {
		r.lookups = append(r.lookups, r.negative[i].lookup(i))
	}
	c.graph.rules = append(c.graph.rules, r)
	r.head.rules = append(r.head.rules, r)
}

// rule compiles one rule.
func (c *compiler) rule(source *syntax.Rule) *rule {
	r := &rule{
		graph:       c.graph,
		source:      source,
		kind:        source.Kind,
		head:        c.graph.byName[source.Head.Relation],
		destination: -1,
	}
	slots := c.slots(r)
	if v := source.Destination(); v != nil {
		r.destination = slots[v.Name]
	}
	for _, t := range source.Body {
		c.term(r, slots, t)
	}
	if where := source.Location(); where != nil {
		r.location = c.operand(where, slots)
	}
	c.headColumns(r, slots)
	return r
}

// slots numbers the variables that a binding of the rule has a value for, in
// the order in which they first occur.
func (c *compiler) slots(r *rule) map[string]int {
	bound := r.source.Bound()
	r.variables = slices.DeleteFunc(r.source.Variables(), func(name string) bool { return !slices.Contains(bound, name) })
	r.slots = len(r.variables)
	slots := make(map[string]int, r.slots)
	for slot, name := range r.variables {
		slots[name] = slot
	}
	return slots
}

// term compiles one body term into the rule.
func (c *compiler) term(r *rule, slots map[string]int, t syntax.Term) {
	if t.Atom == nil {
		r.tests = append(r.tests, c.operand(t.Test, slots))
		return
	}
	a := atom{source: t.Atom, relation: c.graph.byName[t.Atom.Relation], at: t.At}
	locals := map[string]int{}
	for _, e := range t.Atom.Args {
		a.columns = append(a.columns, c.column(r, slots, locals, e, t.Negated))
	}
	if t.Negated {
		r.negative = append(r.negative, a)
	} else {
		r.positive = append(r.positive, a)
	}
}

// column compiles an argument of a body atom. The value of a computed column of
// a positive atom is put into a slot of its own, and compared when it can be.
func (c *compiler) column(r *rule, slots, locals map[string]int, e syntax.Expr, negated bool) column {
	col := column{slot: -1, local: -1}
	if _, wild := e.(*syntax.Wildcard); wild {
		return col
	}
	if v, ok := e.(*syntax.Variable); ok && negated {
		if _, bound := slots[v.Name]; !bound {
			if _, seen := locals[v.Name]; !seen {
				locals[v.Name] = len(locals)
			}
			col.local = locals[v.Name]
			return col
		}
	}
	o := c.operand(e, slots)
	col.value = o
	if o.op != leaf && !negated {
		col.slot = r.slots
		r.slots++
		r.tests = append(r.tests, &operand{op: equal, slot: -1, left: &operand{slot: col.slot}, right: o})
	}
	return col
}

// headColumns compiles the head.
func (c *compiler) headColumns(r *rule, slots map[string]int) {
	if r.kind == syntax.Async && r.head.arity == 0 {
		c.fail("%s: an @async head needs a destination in column 0", r.source.Head.Position)
	}
	for i, e := range r.source.Head.Args {
		if a, ok := e.(*syntax.Aggregate); ok {
			compiled := aggregate{column: i, function: a.Func, slot: c.slot(a.Variable, slots)}
			for _, v := range a.Per {
				compiled.per = append(compiled.per, c.slot(v, slots))
			}
			r.aggregates = append(r.aggregates, compiled)
			e = a.Variable
		}
		r.columns = append(r.columns, *c.operand(e, slots))
	}
}

// slot returns the slot of a variable.
func (c *compiler) slot(v *syntax.Variable, slots map[string]int) int {
	slot, bound := slots[v.Name]
	if !bound {
		c.fail("%s: variable %s is bound by no positive atom of the body", v.Position, v.Name)
	}
	return slot
}

// operand compiles an expression.
func (c *compiler) operand(e syntax.Expr, slots map[string]int) *operand {
	switch e := e.(type) {
	case *syntax.Constant:
		return &operand{slot: -1, constant: c.graph.values.id(e.Value)}
	case *syntax.Variable:
		return &operand{slot: c.slot(e, slots)}
	case *syntax.Binary:
		return &operand{op: operatorOf(e.Op), slot: -1, left: c.operand(e.Left, slots), right: c.operand(e.Right, slots)}
	default:
		c.fail("%s: %s cannot stand here", e.Pos(), e)
		return &operand{}
	}
}

// freeze adds, for each relation that some @next or @async rule gives, a rule
// that keeps the facts of a process that has stopped.
func (c *compiler) freeze() {
	for _, rel := range c.graph.relations {
		if rel.arity == 0 || !rel.carried() {
			continue
		}
		r := &rule{graph: c.graph, kind: syntax.Next, head: rel, destination: -1, frozen: true, slots: rel.arity}
		a := atom{relation: rel}
		for i := range rel.arity {
			a.columns = append(a.columns, column{value: &operand{slot: i}, slot: -1, local: -1})
			r.columns = append(r.columns, operand{slot: i})
		}
		r.positive = []atom{a}
		r.location = &operand{slot: 0}
		c.add(r)
	}
}

// carried tells whether some rule gives the relation for the next round.
func (r *relation) carried() bool {
	for _, rule := range r.rules {
		if rule.kind != syntax.Deductive {
			return true
		}
	}
	return false
}

// newGraph returns the graph of a program before anything is evaluated.
func newGraph(p *dedalus.Program, b rounds.Bounds) (*Graph, error) {
	g := &Graph{
		Program:  p,
		Bounds:   b,
		Universe: schedules.New(b),
		values:   &values{ids: map[specs.Value]uint32{}},
		byName:   map[string]*relation{},
	}
	return g, compile(g)
}
