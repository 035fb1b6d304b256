package syntax

import "github.com/lineage-driven/ldfi/specs"

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
