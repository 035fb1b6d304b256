package etcd

import (
	"fmt"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Safety returns what holds in every execution of Raft.
func Safety() []property.Property {
	return []property.Property{OneLeader, OneLog, FreshReads}
}

// OneLeader says that no term has two leaders.
var OneLeader = property.Property{Name: "one leader per term", Func: func(e *rounds.Execution) []property.Violation {
	return twice("one leader per term", e, "leader", 1, func(f rounds.Fact) dedalus.Value { return f.Args[0] })
}}

// OneLog says that all processes commit the same at the same index.
var OneLog = property.Property{Name: "one log", Func: func(e *rounds.Execution) []property.Violation {
	return twice("one log", e, "committed", 1, func(f rounds.Fact) dedalus.Value {
		return dedalus.String(f.Args[2].Text() + " " + f.Args[3].Text())
	})
}}

// twice finds facts of a relation that agree in one argument, but not in a value
// that it determines.
func twice(name string, e *rounds.Execution, relation string, key int, value func(rounds.Fact) dedalus.Value) []property.Violation {
	var violations []property.Violation
	first := map[dedalus.Value]rounds.Fact{}
	for _, f := range e.Facts {
		if f.Relation != relation {
			continue
		}
		g, ok := first[f.Args[key]]
		if !ok {
			first[f.Args[key]] = f
		} else if value(f) != value(g) {
			violations = append(violations, violation(name, fmt.Sprintf("%s, and %s", g, f), g, f))
		}
	}
	return violations
}

func violation(name, text string, facts ...rounds.Fact) property.Violation {
	fact := rounds.Fact{Relation: "violation"}
	for _, f := range facts {
		fact.Args = append(fact.Args, dedalus.String(f.String()))
	}
	return property.Violation{Property: name, Fact: fact, Text: text}
}

// FreshReads says that a read that a client asks for in some round is answered
// from an index on that is not below what was committed anywhere in a round
// before: reads are linearizable.
var FreshReads = property.Property{Name: "fresh reads", Func: freshReads}

func freshReads(e *rounds.Execution) []property.Violation {
	var violations []property.Violation
	var newest, before rounds.Fact // committed up to this round, and in rounds before it
	asked := map[dedalus.Value]rounds.Fact{}
	floor := map[dedalus.Value]rounds.Fact{} // by request: what was committed before it
	for _, f := range e.Facts {              // by round
		switch f.Relation {
		case "committed":
			if newest.Args == nil || f.Args[1].Int() > newest.Args[1].Int() {
				if newest.Round < f.Round {
					before = newest
				}
				newest = f
			}
		case "request":
			asked[f.Args[1]] = f
			if newest.Args != nil && newest.Round < f.Round {
				floor[f.Args[1]] = newest
			} else if before.Args != nil {
				floor[f.Args[1]] = before
			}
		case "read":
			if g, ok := floor[f.Args[1]]; ok && f.Args[2].Int() < g.Args[1].Int() {
				q := asked[f.Args[1]]
				violations = append(violations, violation("fresh reads", fmt.Sprintf("%s had committed index %d in round %d; a client asked %s to read in round %d, and was told index %d in round %d",
					g.Args[0].Text(), g.Args[1].Int(), g.Round, q.Args[0].Text(), q.Round, f.Args[2].Int(), f.Round), g, q, f))
			}
		}
	}
	return violations
}
