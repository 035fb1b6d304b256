package syntax

import "strconv"

// Canonical returns the rule as String does, with variables named by the order
// in which they occur: rules that differ only in the names of variables have the
// same canonical text.
func (r *Rule) Canonical() string {
	n := names{}
	c := Rule{Head: *n.atom(&r.Head), Kind: r.Kind}
	for _, t := range r.Body {
		if t.Atom != nil {
			t.Atom = n.atom(t.Atom)
		} else {
			t.Test = n.expr(t.Test)
		}
		c.Body = append(c.Body, t)
	}
	return c.String()
}

// names are the new names of variables.
type names map[string]string

func (n names) atom(a *Atom) *Atom {
	c := &Atom{Relation: a.Relation}
	for _, e := range a.Args {
		c.Args = append(c.Args, n.expr(e))
	}
	return c
}

func (n names) expr(e Expr) Expr {
	switch e := e.(type) {
	case *Variable:
		return n.variable(e)
	case *Binary:
		left := n.expr(e.Left)
		return &Binary{Op: e.Op, Left: left, Right: n.expr(e.Right)}
	case *Aggregate:
		a := &Aggregate{Func: e.Func, Variable: n.variable(e.Variable)}
		for _, v := range e.Per {
			a.Per = append(a.Per, n.variable(v))
		}
		return a
	default:
		return e
	}
}

func (n names) variable(v *Variable) *Variable {
	name, known := n[v.Name]
	if !known {
		name = "V" + strconv.Itoa(len(n)+1)
		n[v.Name] = name
	}
	return &Variable{Name: name}
}
