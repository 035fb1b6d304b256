package dedalus

import (
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
)

// Query asks for the facts of a relation that match a pattern.
type Query struct {
	Relation string
	Args     []QueryArg
	Round    int // 0 when the query names none
}

// QueryArg is a column of a query: a value, or a wildcard.
type QueryArg struct {
	Wildcard bool
	Value    specs.Value
}

// ParseQuery parses a query such as post(c, "hello")@6. Unlike in a program a
// bare word is a string, so c means "c"; "_" is a wildcard, and the round may
// be missing. Its error is of type Errors.
func ParseQuery(text string) (Query, error) {
	p := newParser("query", text)
	q, ok := p.query()
	if ok && len(p.errors) == 0 {
		return q, nil
	}
	s := newSource(text)
	for _, e := range p.errors {
		e.Excerpt = s.line(e.Line)
	}
	return Query{}, p.errors
}

func (p *parser) query() (Query, bool) {
	a, ok := p.predicate()
	if !ok {
		return Query{}, false
	}
	q := Query{Relation: a.Relation}
	for _, e := range a.Args {
		arg := QueryArg{}
		switch e := e.(type) {
		case *syntax.Constant:
			arg.Value = e.Value
		case *syntax.Variable:
			arg.Value = specs.String(e.Name)
		case *syntax.Wildcard:
			arg.Wildcard = true
		default:
			return q, p.fail(start(e), "a query has only words, strings, integers and '_', and %s is %s", shorten("'"+e.String()+"'"), describe(e))
		}
		q.Args = append(q.Args, arg)
	}
	suffix, ok := p.suffix()
	switch {
	case !ok:
		return q, false
	case suffix.text == "next" || suffix.text == "async":
		return q, p.fail(suffix.at, "a query has a round such as '@6', not '@%s'", suffix.text)
	case suffix.text != "":
		if q.Round, ok = p.round(suffix); !ok {
			return q, false
		}
	}
	if p.peek(0).kind != endOfFile {
		return q, p.unexpected("the end of the query")
	}
	return q, true
}

// Matches tells whether a fact with these arguments matches the query's
// columns.
func (q Query) Matches(args []specs.Value) bool {
	if len(args) != len(q.Args) {
		return false
	}
	for i, a := range q.Args {
		if !a.Wildcard && a.Value != args[i] {
			return false
		}
	}
	return true
}

// String returns the query as ParseQuery reads it.
func (q Query) String() string {
	args := make([]string, len(q.Args))
	for i, a := range q.Args {
		if args[i] = a.Value.String(); a.Wildcard {
			args[i] = "_"
		}
	}
	return q.Relation + "(" + strings.Join(args, ", ") + ")" + syntax.Suffix(q.Round)
}
