package lockstep

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
)

// rule is a compiled rule.
type rule struct {
	index       int // in the program
	source      *syntax.Rule
	kind        syntax.Kind
	frozen      bool // the implicit rule that keeps the state of a stopped process
	body        []syntax.Term
	place       syntax.Expr // its location, nil for a rule that always fires
	destination string      // the variable that ranges over all processes, if any

	relation int            // of the head
	head     []column       // of the head
	folds    int            // how many of them aggregate
	makes    bool           // it can make values that were not there
	slots    map[string]int // by variable
	atoms    []atom
	atomOf   []int // by body term
	full     *plan
	from     []*plan // by atom: the plan that begins with it, if a recursion needs that plan
}

// column is a column of a head: an expression or an aggregate over a slot.
type column struct {
	value *expression
	fold  fold
	slot  int
	per   []int // the slots of the columns that tell equal values of an aggregate apart
}

// atom is an atom of a rule's body.
type atom struct {
	relation int
	negated  bool
	at       int // the round in which it is read, 0 for the round of the rule
	term     int
}

// relation is a relation of the program and the ways in which it is searched.
type relation struct {
	name     string
	arity    int
	patterns []pattern
	stateful bool // some rule writes it for the next round
	volatile bool // a process that comes back has forgotten it
}

// binds tells whether a variable has a slot.
func (r *rule) binds(name string) bool {
	_, ok := r.slots[name]
	return ok
}

// aggregates tells whether the head has an aggregate.
func (r *rule) aggregates() bool { return r.folds > 0 }

// rule compiles a rule, with the plan that leaves the choice of the first atom
// free.
func (c *compiler) rule(source *syntax.Rule) *rule {
	r := &rule{
		source: source, kind: source.Kind, body: source.Body, place: source.Location(),
		slots: map[string]int{}, atomOf: make([]int, len(source.Body)),
	}
	if v := source.Destination(); v != nil {
		r.destination = v.Name
		r.slots[v.Name] = 0
	}
	for i, t := range source.Body {
		if t.Atom == nil {
			continue
		}
		r.atomOf[i] = len(r.atoms)
		number := c.declare(t.Atom.Relation, len(t.Atom.Args), t.Position)
		r.atoms = append(r.atoms, atom{number, t.Negated, t.At, i})
		if !t.Negated {
			r.bind(t.Atom)
		}
	}
	c.finish(r)
	return r
}

// bind gives slots to the variables that are columns of an atom.
func (r *rule) bind(a *syntax.Atom) {
	for _, e := range a.Args {
		if v, ok := e.(*syntax.Variable); ok && !r.binds(v.Name) {
			r.slots[v.Name] = len(r.slots)
		}
	}
}

// finish compiles the head of a rule and its plan.
func (c *compiler) finish(r *rule) {
	head := &r.source.Head
	r.relation = c.declare(head.Relation, len(head.Args), head.Position)
	if r.kind == syntax.Async && len(head.Args) == 0 {
		c.fail(fmt.Errorf("%s: an @async head needs a destination in column 0", head.Position))
	}
	for _, e := range head.Args {
		column := c.column(e, r.slots)
		if column.fold != noFold {
			r.folds++
		}
		r.makes = r.makes || column.fold != noFold || column.value.computes()
		r.head = append(r.head, column)
	}
	r.from = make([]*plan, len(r.atoms))
	r.full = c.plan(r, -1)
}

func (c *compiler) column(e syntax.Expr, slots map[string]int) column {
	a, ok := e.(*syntax.Aggregate)
	if !ok {
		return column{value: c.compile(e, slots)}
	}
	f := foldOf(a.Func)
	if f == noFold {
		c.fail(fmt.Errorf("%s: there is no aggregate %s", a.Position, a.Func))
		f = count
	}
	folding := column{fold: f, slot: c.slot(a.Variable, slots)}
	if f == least || f == most {
		return folding // equal values make no difference
	}
	for _, v := range a.Per {
		folding.per = append(folding.per, c.slot(v, slots))
	}
	return folding
}

// freeze returns the implicit rule that keeps the facts of a stopped process in a relation:
// p(P, ..)@next :- p(P, ..).
func (c *compiler) freeze(number int) *rule {
	rel := c.relations[number]
	body := &syntax.Atom{Relation: rel.name}
	for i := range rel.arity {
		body.Args = append(body.Args, &syntax.Variable{Name: fmt.Sprint(i)})
	}
	r := c.rule(&syntax.Rule{
		Index: -1, Kind: syntax.Next, Head: *body, Body: []syntax.Term{{Atom: body}},
	})
	r.frozen = true
	return r
}

// declare returns the number of a relation, a new one when it is new.
func (c *compiler) declare(name string, arity int, at specs.Position) int {
	number, known := c.numbers[name]
	if !known {
		number = len(c.relations)
		c.numbers[name] = number
		c.relations = append(c.relations, &relation{name: name, arity: arity, patterns: whole(arity), volatile: arity > 0 && !slices.Contains(c.bounds.Durable, name)})
	}
	if have := c.relations[number].arity; have != arity {
		c.fail(fmt.Errorf("%s: %s has %d columns here and %d elsewhere", at, name, arity, have))
	}
	return number
}

// search returns the number of a pattern.
func (rel *relation) search(columns pattern) int {
	if len(columns) == 0 {
		return 0
	}
	if i := slices.IndexFunc(rel.patterns, func(p pattern) bool { return slices.Equal(p, columns) }); i >= 0 {
		return i
	}
	rel.patterns = append(rel.patterns, columns)
	return len(rel.patterns) - 1
}
