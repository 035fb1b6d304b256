package dedalus

import (
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
)

// ParseQuery parses a query such as post(c, "hello")@6. Unlike in a program a bare word
// is a string, so c means "c"; "_" is a wildcard, and the round may be missing. Its
// error is of type [specs.Errors].
func ParseQuery(text string) (syntax.Query, error) {
	p := newParser("query", text)
	q, ok := p.query()
	if ok && len(p.errors) == 0 {
		return q, nil
	}
	return syntax.Query{}, newSource(text).quoted(p.errors)
}

func (p *parser) query() (syntax.Query, bool) {
	a, ok := p.predicate()
	if !ok {
		return syntax.Query{}, false
	}
	q := syntax.Query{Relation: a.Relation}
	for _, e := range a.Args {
		arg := syntax.QueryArg{}
		switch e := e.(type) {
		case *syntax.Constant:
			arg.Value = e.Value
		case *syntax.Variable:
			arg.Value = specs.String(e.Name)
		case *syntax.Wildcard:
			arg.Wildcard = true
		default:
			return q, p.fail(start(e), "a query has only words, strings, integers and '_', and %s is %s", syntax.Shorten("'"+e.String()+"'"), describe(e))
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
