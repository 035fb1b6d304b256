package etcd

import (
	"fmt"
	"slices"
	"sync"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Safety returns what holds in every execution of Raft.
func Safety() []property.Property {
	return []property.Property{OneLeader, OneLog, FreshReads}
}

// OneLeader says that no term has two leaders.
var OneLeader = property.Property{Name: "one leader per term", FactsOnly: true, Func: func(e *recording.Execution) []result.Violation {
	return twice("one leader per term", e, "leader", func(leader []specs.Value) []specs.Value { return leader[:1] })
}}

// OneLog says that all processes commit the same at the same index.
var OneLog = property.Property{Name: "one log", FactsOnly: true, Func: func(e *recording.Execution) []result.Violation {
	return twice("one log", e, "committed", func(committed []specs.Value) []specs.Value { return committed[2:] })
}}

// twice finds facts of a relation that have the same key, which is the argument
// behind the process, but not the values that it determines.
func twice(name string, e *recording.Execution, relation string, values func(args []specs.Value) []specs.Value) []result.Violation {
	var violations []result.Violation
	first := make(map[int64]*recording.Fact, e.Bounds.EOT)
	for i := range e.Facts {
		f := &e.Facts[i]
		if f.Relation != relation {
			continue
		}
		key := f.Args[1].Int()
		g, ok := first[key]
		if !ok {
			first[key] = f
		} else if !slices.Equal(values(f.Args), values(g.Args)) {
			violations = append(violations, violation(name, fmt.Sprintf("%s, and %s", g, f), *g, *f))
		}
	}
	return violations
}

func violation(name, text string, facts ...recording.Fact) result.Violation {
	fact := recording.Fact{Relation: "violation"}
	for _, f := range facts {
		fact.Args = append(fact.Args, specs.String(f.String()))
	}
	return result.Violation{Property: name, Fact: fact, Text: text}
}

// FreshReads says that a read that a client asks for in some round is answered
// from an index on that is not below what was committed anywhere in a round
// before: reads are linearizable. It does not judge reads that are answered while a
// process leads that does not vote in the configuration that it has applied: unless
// it is told to step down (StepDownOnRemoval, since v3.6) the library lets it lead
// on, and answer from what it knows. A product stops a process that was removed.
var FreshReads = property.Property{Name: "fresh reads", FactsOnly: true, Func: freshReads}

func freshReads(e *recording.Execution) []result.Violation {
	var violations []result.Violation
	floor := committedBefore(e)
	outside := sync.OnceValue(func() []int { return ledFromOutside(e) })
	for i := range e.Facts {
		f := &e.Facts[i]
		if f.Relation != "read" {
			continue
		}
		if at, ok := floor[f.Args[1].Int()]; ok && f.Args[2].Int() < at.Args[1].Int() {
			if asked := requestFact(e, f.Args[1]); !slices.ContainsFunc(outside(), func(r int) bool { return asked.Round <= r && r <= f.Round }) {
				violations = append(violations, stale(asked, *f, *at))
			}
		}
	}
	return violations
}

// committedBefore returns, by request, the fact with the highest index that was
// committed in a round before that of the request. In a recording the facts of a
// round are in the order of their text, so that a read can stand before its
// request.
func committedBefore(e *recording.Execution) map[int64]*recording.Fact {
	var newest, before *recording.Fact // committed up to this round, and in rounds before it
	floor := make(map[int64]*recording.Fact, e.Bounds.EOT)
	for i := range e.Facts { // by round
		f := &e.Facts[i]
		switch f.Relation {
		case "committed":
			if newest == nil || f.Args[1].Int() > newest.Args[1].Int() {
				if newest != nil && newest.Round < f.Round {
					before = newest
				}
				newest = f
			}
		case "request":
			if newest != nil && newest.Round < f.Round {
				floor[f.Args[1].Int()] = newest
			} else if before != nil {
				floor[f.Args[1].Int()] = before
			}
		}
	}
	return floor
}

// ledFromOutside returns the rounds in which a process leads that does not vote in
// the configuration that it has applied.
func ledFromOutside(e *recording.Execution) (all []int) {
	configs := configsOf(e)
	for _, f := range e.Facts {
		if f.Relation != "leader" {
			continue
		}
		if c := inUseBy(configs, f.Args[0].Text(), f.Round); c != nil && !c.votes(c.process) {
			all = append(all, f.Round)
		}
	}
	return all
}

// requestFact returns the fact that says that a request was made.
func requestFact(e *recording.Execution, id specs.Value) recording.Fact {
	return e.Facts[slices.IndexFunc(e.Facts, func(f recording.Fact) bool { return f.Relation == "request" && f.Args[1] == id })]
}

// stale says that a read was answered from an index below what was committed.
func stale(asked, read, committed recording.Fact) result.Violation {
	text := fmt.Sprintf("%s had committed index %d in round %d; a client asked %s to read in round %d, and was told index %d in round %d",
		committed.Args[0].Text(), committed.Args[1].Int(), committed.Round, asked.Args[0].Text(), asked.Round, read.Args[2].Int(), read.Round)
	return violation("fresh reads", text, committed, asked, read)
}
