package ldfi

import (
	"slices"

	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// manyViolations is the number of violations that are distinguished while a question is
// decided: for later rounds only their existence counts. There can be very many, one for
// each two outputs that differ and each pair of processes, and most of them depend on the
// faults in the same way. The reason of a set that is found covers all of them (around.go).
const manyViolations = 2000

// asking are the limits of an evaluation of the question: of pre, post and good in the last
// round, and in all rounds of violation and the relations in its rules, since a promise
// about facts that never come about is vacuous, and of the relations in assumptions.
func (q *question) asking() provenance.Options {
	limits := q.limits(slices.Concat(q.promise.relations(), q.spoken, q.also)...)
	limits.Last = slices.DeleteFunc(q.promise.last(), func(relation string) bool { return slices.Contains(q.also, relation) })
	return limits
}

// spokenOf returns the relations that the rules for violation speak about.
func spokenOf(p *dedalus.Program) []string {
	var names []string
	for _, r := range violationRules(p) {
		for _, t := range r.Body {
			if t.Atom != nil && !t.Negated {
				names = append(names, t.Atom.Relation)
			}
		}
	}
	return names
}

// emptiness returns the relations for which only the existence of a fact matters.
func (q *question) emptiness() map[string]int {
	if len(q.also) > 0 || q.promise.wanted != nil || q.options.Decider != nil { // the formula of the decider is that of Export
		return nil
	}
	return map[string]int{violationRelation: manyViolations}
}
