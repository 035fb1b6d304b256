package ldfi

import (
	"slices"

	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// manyViolations is how many violations are told apart while a question is decided: of
// later rounds it is only asked whether there is any. There can be very many, of each two
// outputs that differ and whoever has them, and what one says of the faults most others
// say too. The reason of a set that is found is that of all of them (around.go).
const manyViolations = 2000

// asking are the limits on an evaluation of what the question asks for: pre, post and
// good in the last round, violation in all, and in all what its rules speak about, since
// a promise about what never comes about is vacuous, and what assumptions are about.
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

// emptiness says of which relations it is enough to know whether they have a fact.
func (q *question) emptiness() map[string]int {
	if len(q.also) > 0 || q.promise.wanted != nil || q.options.Decider != nil { // whose formula is that of Export
		return nil
	}
	return map[string]int{violationRelation: manyViolations}
}
