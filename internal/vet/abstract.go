package vet

import (
	"fmt"

	"github.com/lineage-driven/ldfi/internal/syntax"
)

// always is a relation that holds in every round, at no process.
const always = "always "

// abstraction is the body of a rule without the parts that depend on messages and faults,
// as if they held. So it fires wherever the rule does, and perhaps more often.
type abstraction struct {
	analysis *analysis
	rule     *syntax.Rule
	terms    []syntax.Term
	known    map[string]syntax.Expr // the variables that have a value, and their values
	fresh    int
}

// abstract returns the abstraction of the body of a rule, together with the further atoms.
func (a *analysis) abstract(r *syntax.Rule, further ...*syntax.Atom) *abstraction {
	b := &abstraction{analysis: a, rule: r, known: map[string]syntax.Expr{}}
	b.terms = append(b.terms, syntax.Term{Atom: &syntax.Atom{Relation: always}})
	for _, atom := range further {
		b.terms = append(b.terms, syntax.Term{Atom: atom, At: 1})
	}
	for _, t := range r.Body {
		switch {
		case t.Atom == nil || t.Negated:
		case !a.depends(t.Atom):
			b.terms = append(b.terms, t)
		case a.may[t.Atom.Relation] != nil && t.At == 0:
			b.terms = append(b.terms, syntax.Term{Atom: a.may[t.Atom.Relation].atom(t.Atom)})
		}
	}
	for _, t := range b.terms {
		for _, e := range t.Atom.Args {
			if v, ok := e.(*syntax.Variable); ok {
				b.known[v.Name] = v
			}
		}
	}
	b.solve()
	b.close()
	b.compare()
	b.deny()
	return b
}

// solve finds the values of further variables: by X == e, and by an argument such as
// X + 1.
func (b *abstraction) solve() {
	for before := -1; before < len(b.known); {
		before = len(b.known)
		for _, t := range b.rule.Body {
			if e, ok := t.Test.(*syntax.Binary); ok && e.Op == "==" {
				b.equate(e.Left, e.Right)
				b.equate(e.Right, e.Left)
			}
		}
		for i := range b.terms {
			b.invert(&b.terms[i])
		}
	}
}

// equate takes a value for the variable in an expression.
func (b *abstraction) equate(unknown, value syntax.Expr) {
	v, ok := b.value(value)
	if !ok {
		return
	}
	if name, inverse := isolated(unknown, v); name != "" && b.known[name] == nil {
		b.known[name] = inverse
	}
}

// isolated solves e == value for the variable of e: X, X + 1, 1 + X and X - 1.
func isolated(e, value syntax.Expr) (string, syntax.Expr) {
	switch e := e.(type) {
	case *syntax.Variable:
		return e.Name, value
	case *syntax.Binary:
		v, left := e.Left.(*syntax.Variable)
		c, right := e.Right.(*syntax.Constant)
		if left && right && (e.Op == "+" || e.Op == "-") && c.Value.IsInt() {
			return v.Name, &syntax.Binary{Op: opposite(e.Op), Left: value, Right: c}
		}
		c, left = e.Left.(*syntax.Constant)
		v, right = e.Right.(*syntax.Variable)
		if left && right && e.Op == "+" && c.Value.IsInt() {
			return v.Name, &syntax.Binary{Op: "-", Left: value, Right: c}
		}
	}
	return "", nil
}

func opposite(op string) string {
	if op == "+" {
		return "-"
	}
	return "+"
}

// invert gives an argument such as X + 1 of an atom a variable of its own, from which X
// is computed, if X has no value otherwise.
func (b *abstraction) invert(t *syntax.Term) {
	for i, e := range t.Atom.Args {
		if _, ok := e.(*syntax.Binary); !ok {
			continue
		}
		column := &syntax.Variable{Name: fmt.Sprintf("column %d", b.fresh)}
		name, inverse := isolated(e, column)
		if name == "" || b.known[name] != nil {
			continue
		}
		b.fresh++
		b.known[name] = inverse
		b.known[column.Name] = column
		t.Atom = with(t.Atom, i, column)
	}
}

// with returns an atom with another argument.
func with(a *syntax.Atom, i int, e syntax.Expr) *syntax.Atom {
	c := *a
	c.Args = append([]syntax.Expr(nil), a.Args...)
	c.Args[i] = e
	return &c
}

// close replaces arguments of the atoms by their known values.
func (b *abstraction) close() {
	for i := range b.terms {
		for j, e := range b.terms[i].Atom.Args {
			if _, ok := e.(*syntax.Binary); !ok {
				continue
			}
			v, ok := b.value(e)
			if !ok {
				v = &syntax.Wildcard{}
			}
			b.terms[i].Atom = with(b.terms[i].Atom, j, v)
		}
	}
}

// value returns an expression over variables that atoms of the abstraction bind, and false
// if it has an unknown variable.
func (b *abstraction) value(e syntax.Expr) (syntax.Expr, bool) {
	switch e := e.(type) {
	case *syntax.Constant:
		return e, true
	case *syntax.Variable:
		v, ok := b.known[e.Name]
		return v, ok
	case *syntax.Binary:
		left, ok := b.value(e.Left)
		right, also := b.value(e.Right)
		return &syntax.Binary{Op: e.Op, Left: left, Right: right, Position: e.Position}, ok && also
	default:
		return nil, false
	}
}

// compare keeps the comparisons whose variables are all known.
func (b *abstraction) compare() {
	for _, t := range b.rule.Body {
		if t.Test == nil {
			continue
		}
		if e, ok := b.value(t.Test); ok {
			b.terms = append(b.terms, syntax.Term{Test: e})
		}
	}
}

// deny keeps the negated atoms whose variables are all known.
func (b *abstraction) deny() {
	bound := b.rule.Bound()
	for _, t := range b.rule.Body {
		if t.Atom == nil || !t.Negated || b.analysis.depends(t.Atom) {
			continue
		}
		if atom, ok := b.denied(t.Atom, bound); ok {
			b.terms = append(b.terms, syntax.Term{Negated: true, Atom: atom, At: t.At})
		}
	}
}

// denied returns a negated atom over known variables. A variable that occurs nowhere else
// is a wildcard.
func (b *abstraction) denied(atom *syntax.Atom, bound []string) (*syntax.Atom, bool) {
	for i, e := range atom.Args {
		if _, ok := e.(*syntax.Wildcard); ok {
			continue
		}
		v, ok := b.value(e)
		if name, is := e.(*syntax.Variable); !ok && is && !contains(bound, name.Name) {
			v, ok = &syntax.Wildcard{}, true
		}
		if !ok {
			return nil, false
		}
		atom = with(atom, i, v)
	}
	return atom, true
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

// gives returns the rule that gives the columns wherever the abstraction fires.
func (b *abstraction) gives(relation string, columns []syntax.Expr) *syntax.Rule {
	return &syntax.Rule{Head: syntax.Atom{Relation: relation, Args: columns}, Kind: syntax.Deductive, Body: b.terms, Position: b.rule.Position}
}
