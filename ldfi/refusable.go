package ldfi

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Some programs have no meaning under some schedules: a fact depends on its own absence, or
// a recursion makes values without end. Such a program is refused, even if other schedules
// break its promise, so all schedules have to be evaluated.

// refusable tells whether a program may be refused: whether facts of one round depend on
// each other through a negation, an aggregate or arithmetic.
func refusable(p *dedalus.Program) bool {
	rules := withinRounds(p)
	reads := map[string][]string{}
	for _, r := range rules {
		for _, t := range r.Body {
			if t.Atom != nil {
				reads[r.Head.Relation] = append(reads[r.Head.Relation], t.Atom.Relation)
			}
		}
	}
	var relations []string
	for _, r := range rules {
		if !slices.Contains(relations, r.Head.Relation) {
			relations = append(relations, r.Head.Relation)
		}
	}
	component := map[string]int{}
	for i, members := range syntax.Components(relations, func(r string) []string { return reads[r] }) {
		for _, relation := range members {
			component[relation] = i + 1
		}
	}
	return slices.ContainsFunc(rules, func(r *syntax.Rule) bool {
		return slices.ContainsFunc(r.Body, func(t syntax.Term) bool {
			inside := t.Atom != nil && component[t.Atom.Relation] == component[r.Head.Relation]
			return inside && (t.Negated || computes(&r.Head))
		})
	})
}

// withinRounds returns the rules by which facts of one round depend on each other: the
// deductive ones, but all if some rule reads a round by its number.
func withinRounds(p *dedalus.Program) []*syntax.Rule {
	numbered := slices.ContainsFunc(p.Rules, func(r *syntax.Rule) bool {
		return slices.ContainsFunc(r.Body, func(t syntax.Term) bool { return t.At > 1 })
	})
	if numbered {
		return p.Rules
	}
	return slices.DeleteFunc(slices.Clone(p.Rules), func(r *syntax.Rule) bool { return r.Kind != syntax.Deductive })
}

// computes tells whether a head has an aggregate, or arithmetic.
func computes(head *syntax.Atom) bool {
	return slices.ContainsFunc(head.Args, func(e syntax.Expr) bool {
		switch e.(type) {
		case *syntax.Aggregate, *syntax.Binary:
			return true
		}
		return false
	})
}
