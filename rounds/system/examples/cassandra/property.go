package cassandra

import (
	"fmt"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/property"
)

// NoReturn is what serializability asks for here: no transaction is committed
// again once another was committed after it.
var NoReturn = property.Property{Name: "no-return", Func: noReturn}

// noReturn goes through the commits in the order of their ballots.
func noReturn(e *rounds.Execution) []property.Violation {
	byBallot := map[int64]rounds.Fact{}
	most := int64(0)
	for _, f := range e.Facts {
		if f.Relation == "committed" {
			byBallot[f.Args[1].Int()] = f
			most = max(most, f.Args[1].Int())
		}
	}
	var violations []property.Violation
	first := map[int64]int64{} // by transaction, its first ballot
	latest := int64(0)         // the last transaction
	for ballot := range most + 1 {
		f, ok := byBallot[ballot]
		if !ok {
			continue
		}
		transaction := f.Args[2].Int()
		if before, again := first[transaction]; again && transaction != latest {
			violations = append(violations, property.Violation{
				Property: "no-return",
				Fact:     rounds.Fact{Relation: "violation", Args: f.Args[1:]},
				Text: fmt.Sprintf("transaction %d, which was committed with ballot %d, is committed again with ballot %d, after transaction %d",
					transaction, before, ballot, latest),
			})
		} else if !again {
			first[transaction] = ballot
		}
		latest = transaction
	}
	return violations
}
