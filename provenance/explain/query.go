package explain

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
)

// pattern checks a query and returns its pattern, in round 0 if the query names no round.
func (x *Explainer) pattern(q syntax.Query) (Pattern, error) {
	p := Pattern{Relation: q.Relation, First: q.Round, Last: q.Round}
	for _, a := range q.Args {
		col := Column{Open: true}
		if !a.Wildcard {
			col = x.column(a.Value)
		}
		p.Columns = append(p.Columns, col)
	}
	arity, err := x.arity(q.Relation)
	if err != nil {
		return p, err
	}
	if arity != len(q.Args) {
		return p, fmt.Errorf("%s has %s, and the query gives it %d: ask for %s(%s)",
			q.Relation, text.Plural(arity, "column"), len(q.Args), q.Relation, strings.TrimSuffix(strings.Repeat("_, ", arity), ", "))
	}
	if q.Round < 0 || q.Round > x.Graph.Bounds.EOT {
		return p, fmt.Errorf("%s is about round %d, and the rounds are 1..%d", p.String(), q.Round, x.Graph.Bounds.EOT)
	}
	return p, nil
}

// arity returns the number of columns of a relation.
func (x *Explainer) arity(relation string) (int, error) {
	var names []string
	for _, r := range x.Graph.Program.Relations() {
		if r.Name == relation {
			return r.Arity, nil
		}
		names = append(names, r.Name)
	}
	if relation == syntax.Crash {
		return 3, nil
	}
	return 0, fmt.Errorf("the program has no relation %q%s", relation, text.DidYouMean(relation, names))
}
