package derive

import (
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// mangle returns the rules of a program in the language of Mangle.
func mangle(p *dedalus.Program) string {
	var b strings.Builder
	for _, r := range p.Rules {
		var body []string
		for _, t := range r.Body {
			body = append(body, term(t))
		}
		b.WriteString(atom(&r.Head) + " :- " + strings.Join(body, ", ") + ".\n")
	}
	return b.String()
}

func term(t syntax.Term) string {
	switch {
	case t.Negated:
		return "!" + atom(t.Atom)
	case t.Atom != nil:
		return atom(t.Atom)
	}
	test := t.Test.(*syntax.Binary)
	return expr(test.Left) + " " + strings.Replace(test.Op, "==", "=", 1) + " " + expr(test.Right)
}

func atom(a *syntax.Atom) string {
	args := make([]string, len(a.Args))
	for i, arg := range a.Args {
		args[i] = expr(arg)
	}
	return a.Relation + "(" + strings.Join(args, ", ") + ")"
}

// functions are those of Mangle for arithmetic.
var functions = map[string]string{"+": "fn:plus", "-": "fn:minus", "*": "fn:mult", "/": "fn:div"}

func expr(e syntax.Expr) string {
	if b, ok := e.(*syntax.Binary); ok {
		return functions[b.Op] + "(" + expr(b.Left) + ", " + expr(b.Right) + ")"
	}
	return e.String()
}
