package syntax

import (
	"slices"

	"github.com/lineage-driven/ldfi/specs"
)

// Location returns where the rule fires: column 0 of the first atom of its
// body, negated or not. The rule fires only in rounds where that is a process.
// Location returns nil for a rule that always fires: one whose body has no
// atom, or whose first atom has no column 0, a wildcard there, or a variable
// that no positive atom binds.
func (r *Rule) Location() Expr {
	for _, t := range r.Body {
		if t.Atom == nil {
			continue
		}
		if len(t.Atom.Args) == 0 {
			return nil
		}
		switch e := t.Atom.Args[0].(type) {
		case *Wildcard:
			return nil
		case *Variable:
			if !r.binds(e.Name) {
				return nil
			}
			return e
		default:
			return e
		}
	}
	return nil
}

// Destination returns the variable in column 0 of an @async head when no
// positive atom of the body binds it: it then ranges over all processes, in the
// whole rule. Otherwise Destination returns nil.
func (r *Rule) Destination() *Variable {
	if r.Kind != Async || len(r.Head.Args) == 0 {
		return nil
	}
	if v, ok := r.Head.Args[0].(*Variable); ok && !r.binds(v.Name) {
		return v
	}
	return nil
}

// binds tells whether a positive atom has the variable as one of its columns.
func (r *Rule) binds(name string) bool {
	for _, t := range r.Body {
		if t.Atom == nil || t.Negated {
			continue
		}
		for _, e := range t.Atom.Args {
			if v, ok := e.(*Variable); ok && v.Name == name {
				return true
			}
		}
	}
	return false
}

// Bound returns the variables that have a value when the rule fires: those
// that positive atoms bind, and the destination. Each is there once.
func (r *Rule) Bound() []string {
	names := make([]string, 0, 8)
	for _, t := range r.Body {
		if t.Atom == nil || t.Negated {
			continue
		}
		for _, e := range t.Atom.Args {
			if v, ok := e.(*Variable); ok && !slices.Contains(names, v.Name) {
				names = append(names, v.Name)
			}
		}
	}
	if d := r.Destination(); d != nil {
		names = append(names, d.Name)
	}
	return names
}

// Walk calls visit for an expression and all its parts.
func Walk(e Expr, visit func(Expr)) {
	visit(e)
	switch e := e.(type) {
	case *Binary:
		Walk(e.Left, visit)
		Walk(e.Right, visit)
	case *Aggregate:
		Walk(e.Variable, visit)
		for _, v := range e.Per {
			Walk(v, visit)
		}
	}
}

// EachVariable calls visit for the variables in an expression, from left to right.
func EachVariable(e Expr, visit func(*Variable)) {
	Walk(e, func(e Expr) {
		if v, ok := e.(*Variable); ok {
			visit(v)
		}
	})
}

// Mentions tells whether a variable is in an expression.
func Mentions(e Expr, variable string) (found bool) {
	EachVariable(e, func(v *Variable) { found = found || v.Name == variable })
	return found
}

// Offset tells whether an expression is a variable with a number added, which may be 0.
func Offset(e Expr) (variable string, by int64, ok bool) {
	switch e := e.(type) {
	case *Variable:
		return e.Name, 0, true
	case *Binary:
		left, right := e.Left, e.Right
		if _, constant := left.(*Constant); constant && e.Op == "+" {
			left, right = right, left
		}
		v, isVariable := left.(*Variable)
		n, isConstant := right.(*Constant)
		switch {
		case !isVariable || !isConstant || !n.Value.IsInt():
		case e.Op == "+":
			return v.Name, n.Value.Int(), true
		case e.Op == "-":
			return v.Name, -n.Value.Int(), true
		}
	}
	return "", 0, false
}

// Variables returns the names of the rule's variables in the order in which they
// first occur, each once.
func (r *Rule) Variables() []string {
	names := make([]string, 0, 8)
	add := func(v *Variable) {
		if !slices.Contains(names, v.Name) {
			names = append(names, v.Name)
		}
	}
	for _, e := range r.Head.Args {
		EachVariable(e, add)
	}
	for _, t := range r.Body {
		if t.Atom == nil {
			EachVariable(t.Test, add)
			continue
		}
		for _, e := range t.Atom.Args {
			EachVariable(e, add)
		}
	}
	return names
}

// OverRows returns the aggregate that tells apart all rows of the rule, where one of
// its head does not; else nil.
func (r *Rule) OverRows(a *Aggregate) *Aggregate {
	known := []string{a.Variable.Name}
	for _, e := range r.Head.Args {
		if v, ok := e.(*Variable); ok {
			known = append(known, v.Name)
		}
	}
	rows := &Aggregate{Func: a.Func, Variable: a.Variable}
	for _, name := range r.Bound() {
		if !slices.Contains(known, name) {
			rows.Per = append(rows.Per, &Variable{Name: name})
		}
	}
	for _, v := range rows.Per {
		if !slices.ContainsFunc(a.Per, func(have *Variable) bool { return have.Name == v.Name }) {
			return rows
		}
	}
	return nil
}

// Fits tells whether values have the constants of an atom, and are equal where the
// atom has one variable twice.
func (a *Atom) Fits(values []specs.Value) bool {
	if len(values) != len(a.Args) {
		return false
	}
	for i, arg := range a.Args {
		switch arg := arg.(type) {
		case *Constant:
			if arg.Value != values[i] {
				return false
			}
		case *Variable:
			for j, other := range a.Args[:i] {
				if v, ok := other.(*Variable); ok && v.Name == arg.Name && values[j] != values[i] {
					return false
				}
			}
		}
	}
	return true
}

// Rewritten returns a rule about relations of other names, and with other constants.
func (r *Rule) Rewritten(name func(string) string, value func(specs.Value) specs.Value) *Rule {
	out := &Rule{Head: *r.Head.rewritten(name, value), Kind: r.Kind, Position: r.Position}
	for _, t := range r.Body {
		if t.Atom != nil {
			t.Atom = t.Atom.rewritten(name, value)
		} else {
			t.Test = rewritten(t.Test, value)
		}
		out.Body = append(out.Body, t)
	}
	return out
}

func (a *Atom) rewritten(name func(string) string, value func(specs.Value) specs.Value) *Atom {
	out := &Atom{Relation: name(a.Relation), Position: a.Position}
	for _, e := range a.Args {
		out.Args = append(out.Args, rewritten(e, value))
	}
	return out
}

func rewritten(e Expr, value func(specs.Value) specs.Value) Expr {
	switch e := e.(type) {
	case *Constant:
		return &Constant{value(e.Value), e.Position}
	case *Binary:
		left := rewritten(e.Left, value)
		return &Binary{e.Op, left, rewritten(e.Right, value), e.Position}
	default:
		return e
	}
}
