package syntax

import (
	"strings"

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

// String returns the query as dedalus.ParseQuery reads it.
func (q Query) String() string {
	args := make([]string, len(q.Args))
	for i, a := range q.Args {
		if args[i] = a.Value.String(); a.Wildcard {
			args[i] = "_"
		}
	}
	return q.Relation + "(" + strings.Join(args, ", ") + ")" + Suffix(q.Round)
}

// Matches tells whether the query asks for the fact of a relation in a round.
func (q Query) Matches(relation string, args []specs.Value, round int) bool {
	if relation != q.Relation || len(args) != len(q.Args) || q.Round != 0 && round != q.Round {
		return false
	}
	for i, a := range q.Args {
		if !a.Wildcard && a.Value != args[i] {
			return false
		}
	}
	return true
}
