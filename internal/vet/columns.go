package vet

import (
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// columns are the columns of the relations of a program, and the variables of its rules, in
// classes: if rules pass or compare values between two columns, they are in one class.
type columns struct {
	first     map[string]int // of a relation: the number of its first column
	arity     map[string]int
	class     []int // by number another number of the same class, in the end the class itself
	computed  []int // whose order or arithmetic matters
	constants map[*syntax.Constant]int
	interest  map[specs.Value]int // the constants to remember
	scope     []variable          // of the rule that is read
}

type variable struct {
	name   string
	number int
}

// ofProcesses is the number of a column of processes.
const ofProcesses = 0

// newColumns reads a program. Constants whose values are of interest are remembered with
// their columns.
func newColumns(p *dedalus.Program, b rounds.Bounds, interest map[specs.Value]int) *columns {
	c := &columns{first: map[string]int{}, arity: map[string]int{}, class: make([]int, 1, 64), interest: interest, constants: map[*syntax.Constant]int{}}
	placed := b.CrashStop || b.Restarts != 0 || len(b.Joins) > 0
	for _, f := range p.Facts {
		c.relation(f.Relation, len(f.Args), placed)
	}
	for _, choice := range p.Choices {
		first := c.relation(choice.Relation, len(choice.Columns), placed)
		for i, o := range choice.Columns {
			if o.Word != "" {
				c.same(first+i, ofProcesses)
			}
		}
	}
	for _, r := range p.Rules {
		c.rule(r, placed)
	}
	c.promised()
	return c
}

// promised connects pre with post: the promise compares them.
func (c *columns) promised() {
	pre, one := c.first["pre"]
	post, other := c.first["post"]
	for i := 0; one && other && i < min(c.arity["pre"], c.arity["post"]); i++ {
		c.same(pre+i, post+i)
	}
}

// relation returns the first column of a relation. If processes restart, stop or join, the
// first column of every relation is the process of the fact.
func (c *columns) relation(name string, arity int, placed bool) int {
	first, known := c.first[name]
	if known {
		return first
	}
	first = len(c.class)
	c.first[name], c.arity[name] = first, arity
	for range arity {
		c.class = append(c.class, len(c.class))
	}
	switch {
	case name == syntax.Crash && arity == 3:
		c.same(first, ofProcesses)
		c.same(first+1, ofProcesses)
		c.computed = append(c.computed, first+2)
	case placed && arity > 0:
		c.same(first, ofProcesses)
	}
	return first
}

// of returns the class of a column or a variable.
func (c *columns) of(number int) int {
	for c.class[number] != number {
		c.class[number] = c.class[c.class[number]]
		number = c.class[number]
	}
	return number
}

// same puts two columns in one class, which is named by the least number.
func (c *columns) same(a, b int) {
	a, b = c.of(a), c.of(b)
	c.class[max(a, b)] = min(a, b)
}

// generic tells whether the names of processes are but names: nothing depends on more
// than whether two are equal.
func (c *columns) generic() bool {
	for _, number := range c.computed {
		if c.of(number) == ofProcesses {
			return false
		}
	}
	return true
}

// hasProcesses tells whether a column of a relation has names of processes.
func (c *columns) hasProcesses(relation string, column int) bool {
	first, known := c.first[relation]
	return known && c.of(first+column) == ofProcesses
}

// rule puts the columns that a rule connects in the same classes.
func (c *columns) rule(r *syntax.Rule, placed bool) {
	c.scope = c.scope[:0]
	head := c.relation(r.Head.Relation, len(r.Head.Args), placed)
	for i, e := range r.Head.Args {
		c.column(head+i, e)
	}
	if r.Kind == syntax.Async && len(r.Head.Args) > 0 {
		c.same(head, ofProcesses)
	}
	located := r.Location() != nil
	for _, t := range r.Body {
		if t.Atom == nil {
			c.test(t.Test)
			continue
		}
		first := c.relation(t.Atom.Relation, len(t.Atom.Args), placed)
		for i, e := range t.Atom.Args {
			c.column(first+i, e)
		}
		if located {
			c.same(first, ofProcesses)
		}
		located = false
	}
}

// column reads the expression of an atom in a column.
func (c *columns) column(number int, e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.Variable:
		c.same(c.variable(e), number)
	case *syntax.Constant:
		c.constant(e, number)
	case *syntax.Aggregate:
		c.computed = append(c.computed, number)
		if e.Func != "count" {
			c.computes(e.Variable)
		}
	case *syntax.Binary:
		c.computed = append(c.computed, number)
		c.computes(e)
	}
}

// test reads a comparison. Only one of two variables, or of a variable and a constant,
// for whether they are equal, does not compute.
func (c *columns) test(e syntax.Expr) {
	b, ok := e.(*syntax.Binary)
	if !ok || b.Op != "==" && b.Op != "!=" {
		c.computes(e)
		return
	}
	left, right := b.Left, b.Right
	if _, ok := left.(*syntax.Variable); !ok {
		left, right = right, left
	}
	v, ok := left.(*syntax.Variable)
	if !ok {
		c.computes(b)
		return
	}
	switch e := right.(type) {
	case *syntax.Variable:
		c.same(c.variable(v), c.variable(e))
	case *syntax.Constant:
		c.constant(e, c.variable(v))
	default:
		c.computes(b)
	}
}

// computes notes that the values of the variables in an expression matter.
func (c *columns) computes(e syntax.Expr) {
	syntax.EachVariable(e, func(v *syntax.Variable) { c.computed = append(c.computed, c.variable(v)) })
}

// constant remembers which column a constant belongs to.
func (c *columns) constant(e *syntax.Constant, number int) {
	if _, ok := c.interest[e.Value]; ok {
		c.constants[e] = number
	}
}

// variable returns the number of a variable of the rule.
func (c *columns) variable(v *syntax.Variable) int {
	for _, known := range c.scope {
		if known.name == v.Name {
			return known.number
		}
	}
	number := len(c.class)
	c.class = append(c.class, number)
	c.scope = append(c.scope, variable{v.Name, number})
	return number
}
