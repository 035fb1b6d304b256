package hashicorpraft

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Safety returns what holds in every execution of Raft.
func Safety() []property.Property {
	return []property.Property{OneLeader, NonvotersNeverLead, OneLog, FreshReads}
}

// OneLeader says that no term has two leaders.
var OneLeader = property.Property{Name: "one leader in a term", FactsOnly: true, Func: func(e *recording.Execution) []result.Violation {
	first := map[int64]*recording.Fact{}
	return differing("one leader in a term", e, func(f *recording.Fact) (*recording.Fact, bool) {
		if f.Relation != "leader" {
			return nil, true
		}
		g := firstOf(first, f.Args[1].Int(), f)
		return g, g.Args[0] == f.Args[0]
	})
}}

// OneLog says that servers that have applied the log up to the same index have applied
// the same, one entry after the other or by a snapshot.
var OneLog = property.Property{Name: "one log", FactsOnly: true, Func: func(e *recording.Execution) []result.Violation {
	first := map[int64]*recording.Fact{}
	return differing("one log", e, func(f *recording.Fact) (*recording.Fact, bool) {
		if f.Relation != "applied" && f.Relation != "restored" {
			return nil, true
		}
		g := firstOf(first, f.Args[1].Int(), f)
		return g, sumOf(f) == sumOf(g)
	})
}}

// sumOf returns the sum of what was applied, which is the last argument but the round.
func sumOf(f *recording.Fact) specs.Value { return f.Args[len(f.Args)-1] }

func firstOf(first map[int64]*recording.Fact, key int64, f *recording.Fact) *recording.Fact {
	if g, ok := first[key]; ok {
		return g
	}
	first[key] = f
	return f
}

// differing returns the facts that differ from another.
func differing(name string, e *recording.Execution, same func(f *recording.Fact) (other *recording.Fact, same bool)) (violations []result.Violation) {
	for i := range e.Facts {
		f := &e.Facts[i]
		if other, ok := same(f); !ok {
			violations = append(violations, violation(name, fmt.Sprintf("%s, and %s", other, f), *other, *f))
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

// FreshReads says that a client that reads is told of everything that clients were told
// in rounds before it asked: of values that were written, and those that were read.
// Only [Read] is judged.
var FreshReads = property.Property{Name: "fresh reads", FactsOnly: true, Func: freshReads}

func freshReads(e *recording.Execution) (violations []result.Violation) {
	floor := told(e)
	for i := range e.Facts {
		f := &e.Facts[i]
		if f.Relation != "read" {
			continue
		}
		asked := floor[f.Args[1].Int()]
		if asked.told != nil && f.Args[2].Int() < asked.told.Args[2].Int() {
			violations = append(violations, stale(*asked.request, *f, *asked.told))
		}
	}
	return violations
}

// asked is a request, and what clients were told in rounds before it.
type asked struct{ request, told *recording.Fact }

// told returns of each request the newest that clients were told in rounds before it.
func told(e *recording.Execution) map[int64]asked {
	all := map[int64]asked{}
	var newest, before *recording.Fact // of all rounds up to this one, and of those before it
	round := 0
	for i := range e.Facts { // by round
		f := &e.Facts[i]
		if f.Round != round {
			round, before = f.Round, newest
		}
		switch f.Relation {
		case "wrote", "read":
			if newest == nil || newest.Args[2].Int() < f.Args[2].Int() {
				newest = f
			}
		case "request":
			all[f.Args[1].Int()] = asked{f, before}
		}
	}
	return all
}

func stale(request, read, told recording.Fact) result.Violation {
	text := fmt.Sprintf("%s told a client of index %d in round %d; a client asked %s to read in round %d, and was told of index %d in round %d",
		told.Args[0].Text(), told.Args[2].Int(), told.Round, request.Args[0].Text(), request.Round, read.Args[2].Int(), read.Round)
	return violation("fresh reads", text, told, request, read)
}

func contains(names []string, name string) bool { return slices.Contains(names, name) }

// NonvotersNeverLead says that no server begins to lead a term while it has no vote in
// the newest configuration that it knows.
var NonvotersNeverLead = property.Property{Name: "non-voters never lead", FactsOnly: true, Func: nonvotersNeverLead}

func nonvotersNeverLead(e *recording.Execution) (violations []result.Violation) {
	type term struct {
		process string
		number  int64
	}
	knew, known := map[string]*recording.Fact{}, map[string]*recording.Fact{} // before this round, and in it
	led := map[term]bool{}
	round := 0
	for i := range e.Facts { // by round; in a round configurations come before leaders
		f := &e.Facts[i]
		if f.Round != round {
			round, knew = f.Round, maps.Clone(known)
		}
		p := f.Args[0].Text()
		switch f.Relation {
		case "configuration":
			known[p] = f
		case "leader":
			t := term{p, f.Args[1].Int()}
			if !led[t] && !votes(knew[p], p) && !votes(known[p], p) {
				text := fmt.Sprintf("%s leads term %d from round %d on without a vote in what it knows: %s", p, t.number, f.Round, known[p])
				violations = append(violations, violation("non-voters never lead", text, *f))
			}
			led[t] = true
		}
	}
	return violations
}

// votes tells whether a server has a vote in a configuration. Of none nothing is said.
func votes(configuration *recording.Fact, server string) bool {
	return configuration == nil || contains(strings.Fields(configuration.Args[2].Text()), server)
}
