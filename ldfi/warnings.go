package ldfi

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// warnings adds to the static warnings those from executions.
func (q *question) warnings(static []specs.Warning) []specs.Warning {
	return vet.InOrder(q.program, slices.Concat(static, withoutValue(q.program, q.executor.valueless)))
}

// neverFiring warns of rules that fire in no scenario of a graph, except rules that
// warnings about locations name already. A rule for violation that never fires is good
// news.
func neverFiring(g *provenance.Graph, located []specs.Warning) []specs.Warning {
	spoken := map[specs.Position]bool{}
	for _, w := range located {
		spoken[w.Position] = true
	}
	var all []specs.Warning
	for _, r := range idle(g) {
		if r.Head.Relation != violationRelation && !spoken[r.Position] && (r.Location() == nil || !spoken[r.Location().Pos()]) {
			all = append(all, warning(g.Program, r, "this rule fires in no scenario within the bounds"))
		}
	}
	return all
}

// idle returns the rules that fire in no scenario of a graph.
func idle(g *provenance.Graph) []*syntax.Rule {
	waiting := map[string]map[*syntax.Rule]bool{} // by relation
	for _, r := range g.Program.Rules {
		if waiting[r.Head.Relation] == nil {
			waiting[r.Head.Relation] = map[*syntax.Rule]bool{}
		}
		waiting[r.Head.Relation][r] = true
	}
	for round := 1; round <= g.Bounds.EOT; round++ {
		for relation, rules := range waiting {
			if len(rules) > 0 {
				strike(rules, g.Facts(relation, round))
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(g.Program.Rules), func(r *syntax.Rule) bool { return !waiting[r.Head.Relation][r] })
}

// strike removes the rules that give some of the facts.
func strike(rules map[*syntax.Rule]bool, facts []*provenance.Fact) {
	for _, f := range facts {
		for _, firing := range f.Firings() {
			delete(rules, firing.Rule())
		}
		if len(rules) == 0 {
			return
		}
	}
}

// withoutValue warns of rules with arithmetic that had no value.
func withoutValue(p *dedalus.Program, rules []*syntax.Rule) []specs.Warning {
	var all []specs.Warning
	for _, r := range rules {
		all = append(all, warning(p, r, "arithmetic in this rule has no value for some facts (division by zero, overflow, or a string): it gives nothing for them"))
	}
	return all
}

// warning returns a warning about a rule.
func warning(p *dedalus.Program, r *syntax.Rule, message string) specs.Warning {
	return specs.Warning{Position: r.Position, Message: message, Excerpt: p.Excerpt(r.Position)}
}
