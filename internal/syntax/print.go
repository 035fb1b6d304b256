package syntax

import (
	"strconv"
	"strings"
)

// String returns the constant as it is written in a program.
func (e *Constant) String() string { return e.Value.String() }

// String returns the name of the variable.
func (e *Variable) String() string { return e.Name }

// String returns "_".
func (e *Wildcard) String() string { return "_" }

// String returns the aggregate as it is written in a program.
func (e *Aggregate) String() string {
	text, separator := e.Func+"<"+e.Variable.Name, "; "
	for _, v := range e.Per {
		text += separator + v.Name
		separator = ", "
	}
	return text + ">"
}

// String returns the expression with no more parentheses than it needs.
func (e *Binary) String() string {
	level := Precedence(e.Op)
	return operand(e.Left, level) + " " + e.Op + " " + operand(e.Right, level+1)
}

// operand prints a part of an expression that must bind at least as tightly as
// given.
func operand(e Expr, least int) string {
	if b, ok := e.(*Binary); ok && Precedence(b.Op) < least {
		return "(" + b.String() + ")"
	}
	return e.String()
}

// String returns the atom as it is written in a program.
func (a *Atom) String() string {
	args := make([]string, len(a.Args))
	for i, e := range a.Args {
		args[i] = e.String()
	}
	return a.Relation + "(" + strings.Join(args, ", ") + ")"
}

// String returns the term as it is written in a program.
func (t Term) String() string {
	switch {
	case t.Atom == nil:
		return t.Test.String()
	case t.Negated:
		return "notin " + t.Atom.String() + Suffix(t.At)
	default:
		return t.Atom.String() + Suffix(t.At)
	}
}

// Suffix prints the suffix for a round.
func Suffix(round int) string {
	if round == 0 {
		return ""
	}
	return "@" + strconv.Itoa(round)
}

// String returns the suffix of a head: "", "@next" or "@async".
func (k Kind) String() string {
	return [...]string{"", "@next", "@async"}[k]
}

// String returns the rule as it is written in a program, on one line.
func (r *Rule) String() string {
	body := make([]string, len(r.Body))
	for i, t := range r.Body {
		body[i] = t.String()
	}
	return r.Head.String() + r.Kind.String() + " :- " + strings.Join(body, ", ") + ";"
}

// String returns the fact as it is written in a program.
func (f *Fact) String() string {
	args := make([]string, len(f.Args))
	for i, v := range f.Args {
		args[i] = v.String()
	}
	return f.Relation + "(" + strings.Join(args, ", ") + ")" + Suffix(f.Round) + ";"
}

// Shorten cuts a text that is too long for an error message, or that has
// several lines.
func Shorten(s string) string {
	const most = 40
	first, _, cut := strings.Cut(s, "\n")
	if r := []rune(first); len(r) > most {
		first, cut = string(r[:most]), true
	}
	if cut {
		first += "..."
	}
	return first
}
