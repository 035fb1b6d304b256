package oracle

import (
	"maps"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// signature says what a program asks of an evaluator and of a search: the kinds of faults,
// what is taken for granted of them, and what its rules are made of. Two programs of one
// signature run through the same code.
func signature(p *dedalus.Program, b rounds.Bounds, goals string) string {
	has := map[string]bool{
		"stop":        b.CrashStop && b.Crashes > 0,
		"durable":     len(b.Durable) > 0 && b.Restarts > 0,
		"joins":       len(b.Joins) > 0,
		"phases":      b.Period > 1 && b.Isolations+b.Partitions+b.Cuts > 0,
		"assumptions": len(b.NeverCrash)+len(b.Reliable) > 0,
		"deliver":     b.Deliver != "" && b.Deliver != "none",
		"kernel":      b.Kernel == "yes",
		"choices":     len(p.Choices) > 0,
		"kinds":       len(b.Kinds) > 0,
		"goals":       goals != "",
	}
	for kind := rounds.Crash; kind <= rounds.Choose; kind++ {
		has[kind.String()] = b.Budget(kind) > 0
	}
	reads := map[string][]string{} // within a round
	for _, r := range p.Rules {
		has["messages"] = has["messages"] || r.Kind == syntax.Async
		for _, arg := range r.Head.Args {
			if _, ok := arg.(*syntax.Aggregate); ok {
				has["aggregates"] = true
			}
		}
		for _, t := range r.Body {
			has["negation"] = has["negation"] || t.Negated
			if t.Atom != nil && r.Kind == syntax.Deductive {
				reads[r.Head.Relation] = append(reads[r.Head.Relation], t.Atom.Relation)
			}
		}
	}
	for _, members := range syntax.Components(slices.Sorted(maps.Keys(reads)), func(r string) []string { return reads[r] }) {
		has["recursion"] = has["recursion"] || len(members) > 1 || slices.Contains(reads[members[0]], members[0])
	}
	maps.DeleteFunc(has, func(_ string, so bool) bool { return !so })
	return strings.Join(slices.Sorted(maps.Keys(has)), " ")
}

// weight is how much there is to a program: rules, in rounds, for pairs of processes.
func weight(p *dedalus.Program, b rounds.Bounds) int {
	return (len(p.Rules) + len(p.Facts)) * b.EOT * len(b.Processes) * len(b.Processes)
}

// smallest returns the positions of the smallest of so many programs of each signature, in
// their order. Of two that are as small it is the first.
func smallest(n int, of func(int) (signature string, weight int)) []int {
	first, least := map[string]int{}, map[string]int{}
	for i := range n {
		s, w := of(i)
		if old, ok := least[s]; !ok || w < old {
			first[s], least[s] = i, w
		}
	}
	return slices.Sorted(maps.Values(first))
}
