package dedalus

import (
	"fmt"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
)

// column is a column of a relation, or, with a rule, a variable of that rule.
// A variable that only negated atoms have is another one in each of them, so
// it has the number of its atom.
type column struct {
	name  string
	index int
	rule  *syntax.Rule
}

// evidence is something in the program that says what a column holds.
type evidence struct {
	of     column
	isInt  bool
	at     specs.Position
	reason string
	order  int // in typing.evidence
}

// typing infers what columns hold. Columns and variables that must hold the
// same are one class; the class has the type that most of its evidence says.
type typing struct {
	parent   map[column]column
	evidence []evidence
	first    map[string]*syntax.Atom // of each relation
	bound    map[string]bool         // the current rule's variables that are the same throughout
}

// types checks that no column holds both integers and strings. The first
// column of a relation may: it is a location.
func (c *checker) types() {
	t := &typing{parent: map[column]column{}, first: c.first}
	for _, f := range c.program.Facts {
		for i, e := range c.args[f] {
			if k, ok := e.(*syntax.Constant); ok && t.fits(f.Relation, len(f.Args)) {
				t.column(nil, f.Relation, i, 0, k)
			}
		}
	}
	for _, made := range c.program.Choices {
		t.choose(made)
	}
	for _, r := range c.program.Rules {
		t.rule(r)
	}
	for _, conflict := range t.conflicts() {
		c.fail(conflict.at, "%s", conflict.reason)
	}
}

// rule gathers what a rule says.
func (t *typing) rule(r *syntax.Rule) {
	t.bound = map[string]bool{}
	for _, name := range r.Bound() {
		t.bound[name] = true
	}
	t.atom(r, &r.Head, 0)
	for n, term := range r.Body {
		if term.Atom == nil {
			t.operands(r, term.Test)
			continue
		}
		t.atom(r, term.Atom, n+1)
	}
}

// atom gathers what an atom says, unless its arity is wrong. number tells the
// atoms of a rule apart.
func (t *typing) atom(r *syntax.Rule, a *syntax.Atom, number int) {
	for i, e := range a.Args {
		if t.fits(a.Relation, len(a.Args)) {
			t.column(r, a.Relation, i, number, e)
		}
	}
}

// fits tells whether a relation has so many columns.
func (t *typing) fits(relation string, arity int) bool {
	if relation == syntax.Crash {
		return arity == crashArity
	}
	return len(t.first[relation].Args) == arity
}

// column gathers what an expression in a column of an atom says. atom is the
// number of the atom in the rule.
func (t *typing) column(r *syntax.Rule, relation string, index, atom int, e syntax.Expr) {
	col := column{name: relation, index: index}
	free := index == 0 || relation == syntax.Crash && index == 1
	say := func(of column, isInt bool, at specs.Position, reason string) {
		if of.rule != nil || !free {
			t.say(of, isInt, at, reason)
		}
	}
	if v, ok := e.(*syntax.Variable); ok && relation == syntax.Crash && index == crashArity-1 {
		say(t.variable(r, v, atom), true, v.Position, "a round")
	}
	switch e := e.(type) {
	case *syntax.Constant:
		say(col, e.Value.IsInt(), e.Position, syntax.Shorten(e.String()))
	case *syntax.Variable:
		if !free {
			t.join(col, t.variable(r, e, atom))
		}
	case *syntax.Aggregate:
		v := t.variable(r, e.Variable, atom)
		for _, per := range e.Per {
			t.variable(r, per, atom)
		}
		switch {
		case e.Func == "count":
			say(col, true, e.Position, "a count")
		case e.Func == "sum" || e.Func == "avg":
			say(col, true, e.Position, "a computed value")
			say(v, true, e.Position, "computed with")
		case !free:
			t.join(col, v)
		}
	case *syntax.Binary:
		say(col, true, start(e), "a computed value")
		t.operands(r, e)
	}
}

// say adds evidence.
func (t *typing) say(of column, isInt bool, at specs.Position, reason string) {
	t.evidence = append(t.evidence, evidence{of, isInt, at, reason, len(t.evidence)})
}

// operands gathers that variables of computations are integers.
func (t *typing) operands(r *syntax.Rule, e syntax.Expr) {
	b, ok := e.(*syntax.Binary)
	if !ok {
		return
	}
	for _, side := range []syntax.Expr{b.Left, b.Right} {
		if v, ok := side.(*syntax.Variable); ok && !b.IsComparison() {
			t.say(t.variable(r, v, 0), true, v.Position, "computed with")
		}
		t.operands(r, side)
	}
}

// variable returns the class of a variable.
func (t *typing) variable(r *syntax.Rule, v *syntax.Variable, atom int) column {
	if t.bound[v.Name] {
		atom = 0
	}
	return column{name: v.Name, index: atom, rule: r}
}

func (t *typing) find(c column) column {
	for {
		parent, ok := t.parent[c]
		if !ok {
			return c
		}
		if grand, ok := t.parent[parent]; ok {
			t.parent[c] = grand
		}
		c = parent
	}
}

func (t *typing) join(a, b column) {
	if a, b = t.find(a), t.find(b); a != b {
		t.parent[b] = a
	}
}

// conflicts returns the evidence against the type of its class, with a message
// as its reason.
func (t *typing) conflicts() []evidence {
	first := map[column]map[bool]evidence{} // of each class: for integers, and for strings
	count := map[column]int{}               // how many say integer, less those that say string
	for _, e := range t.evidence {
		class := t.find(e.of)
		if first[class] == nil {
			first[class] = map[bool]evidence{}
		}
		if _, said := first[class][e.isInt]; !said {
			first[class][e.isInt] = e
		}
		if e.isInt {
			count[class]++
		} else {
			count[class]--
		}
	}
	var found []evidence
	for _, e := range t.evidence {
		class := t.find(e.of)
		other, contradicted := first[class][!e.isInt]
		if !contradicted {
			continue
		}
		integers := count[class] > 0 || count[class] == 0 && first[class][true].order < first[class][false].order
		if e.isInt == integers {
			continue
		}
		e.reason = e.against(other)
		found = append(found, e)
	}
	return found
}

// against says what is wrong with the evidence in view of some other.
func (e evidence) against(other evidence) string {
	text := fmt.Sprintf("%v is %s here (%s), but ", e.of, kind(e.isInt), e.reason)
	if e.of.String() != other.of.String() {
		text += fmt.Sprintf("holds the same as %v, which is ", other.of)
	}
	return text + fmt.Sprintf("%s at %v (%s)", kind(other.isInt), other.at, other.reason)
}

func kind(isInt bool) string {
	if isInt {
		return "an integer"
	}
	return "a string"
}

// String names the column or the variable.
func (c column) String() string {
	if c.rule != nil {
		return "variable " + syntax.Shorten(c.name)
	}
	return fmt.Sprintf("column %d of %s", c.index+1, syntax.Shorten(c.name))
}
