package learned

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/specs"
)

// Query returns a query about facts of the system as one about the program, in whose
// last round all of them stand, with their rounds.
func (p *Program) Query(q syntax.Query) (syntax.Query, error) {
	if q.Round >= p.last {
		return q, fmt.Errorf("%s: round %d is after the last round, %d", q, q.Round, p.last-1)
	}
	i := slices.IndexFunc(p.facts, func(r *reported) bool { return r.relation == q.Relation && r.columns == len(q.Args) })
	if i < 0 {
		return q, p.unreported(q)
	}
	out := syntax.Query{Relation: p.facts[i].name, Round: p.last}
	for _, a := range q.Args {
		if !a.Wildcard {
			a.Value = p.value(a.Value)
		}
		out.Args = append(out.Args, a)
	}
	return syntax.Query{Relation: out.Relation, Round: p.last, Args: append(out.Args, syntax.QueryArg{Wildcard: q.Round == 0, Value: specs.Int(int64(q.Round))})}, nil
}

// unreported is the error about facts that no process reports.
func (p *Program) unreported(q syntax.Query) error {
	var names []string
	for _, r := range p.facts {
		if r.relation == q.Relation {
			return fmt.Errorf("%s: the facts of %s that processes report have %s", q, q.Relation, text.Plural(r.columns, "column"))
		}
		names = append(names, r.relation)
	}
	if len(names) == 0 {
		return fmt.Errorf("%s: the processes report no facts within the bounds", q)
	}
	return fmt.Errorf("%s: no process reports %s within the bounds%s: they report %s", q, q.Relation, text.DidYouMean(q.Relation, names), text.List(names, "and"))
}
