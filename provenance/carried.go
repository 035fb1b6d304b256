package provenance

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// memory is a relation as it was in a round that the program names.
type memory struct {
	name, of string
	round    int
}

// remembering returns a program that reads relations of named rounds as relations of their own: what
// they have is in memories. Relations that rules give are remembered by rules.
func remembering(p *dedalus.Program) (*dedalus.Program, []memory) {
	var memories []memory
	changed := *p
	changed.Rules = nil
	for _, r := range p.Rules {
		own := *r
		own.Body = slices.Clone(r.Body)
		for i, t := range own.Body {
			if t.Atom == nil || t.At == 0 {
				continue
			}
			m := memory{fmt.Sprintf("%s@%d", t.Atom.Relation, t.At), t.Atom.Relation, t.At}
			if !slices.Contains(memories, m) {
				memories = append(memories, m)
			}
			atom := *t.Atom
			atom.Relation = m.name
			own.Body[i].Atom, own.Body[i].At = &atom, 0
		}
		changed.Rules = append(changed.Rules, &own)
	}
	for _, m := range memories {
		if !onlyFacts(p, m.of) {
			changed.Rules = append(changed.Rules, m.rules(p)...)
		}
	}
	for i, r := range changed.Rules {
		r.Index = i
	}
	return &changed, memories
}

// rules keep what a relation has in its round.
func (m memory) rules(p *dedalus.Program) []*syntax.Rule {
	columns := columnNames(arityOf(p, m.of))
	of, kept := syntax.Atom{Relation: m.of, Args: columns}, syntax.Atom{Relation: m.name, Args: columns}
	return []*syntax.Rule{
		{Head: kept, Kind: syntax.Deductive, Body: []syntax.Term{{Atom: &of}, {Atom: &syntax.Atom{Relation: roundName(m.round)}}}},
		{Head: kept, Kind: syntax.Next, Body: []syntax.Term{{Atom: &kept}}},
	}
}

// columnNames are as many variables.
func columnNames(n int) (all []syntax.Expr) {
	for i := range n {
		all = append(all, &syntax.Variable{Name: fmt.Sprintf("X%d", i+1)})
	}
	return all
}

// roundName is the relation that has a fact in a round that the program names.
func roundName(round int) string { return fmt.Sprintf("round %d", round) }

// arityOf returns the number of columns of a relation.
func arityOf(p *dedalus.Program, name string) int {
	for _, r := range p.Rules {
		if r.Head.Relation == name {
			return len(r.Head.Args)
		}
	}
	for _, c := range p.Choices {
		if c.Relation == name {
			return len(c.Columns)
		}
	}
	return 0
}

// onlyFacts tells whether a relation has facts of the program only.
func onlyFacts(p *dedalus.Program, name string) bool {
	return !slices.ContainsFunc(p.Rules, func(r *syntax.Rule) bool { return r.Head.Relation == name }) &&
		!slices.ContainsFunc(p.Choices, func(c *syntax.Choose) bool { return c.Relation == name })
}

// base is the relation of which another one has messages that are under way, or memories.
func base(name string) string {
	name, _, _ = strings.Cut(name, "+")
	name, _, _ = strings.Cut(name, "@")
	return name
}

// flight is the relation of messages that become facts of a relation so many rounds later than the round.
func flight(name string, late int) string { return fmt.Sprintf("%s+%d", name, late) }

// flying returns a program with the messages that are under way for up to so many rounds more: they are sent as the
// others are, come nearer in each round, and arrive without a sender.
func flying(p *dedalus.Program, most int) *dedalus.Program {
	changed := *p
	changed.Rules = slices.Clone(p.Rules)
	add := func(r syntax.Rule) {
		r.Index = len(changed.Rules)
		changed.Rules = append(changed.Rules, &r)
	}
	nearer := map[string]bool{}
	for _, r := range p.Rules {
		if r.Kind != syntax.Async {
			continue
		}
		for late := 1; late <= most; late++ {
			sent := *r
			sent.Head.Relation = flight(r.Head.Relation, late)
			add(sent)
			if nearer[sent.Head.Relation] {
				continue
			}
			nearer[sent.Head.Relation] = true
			from := syntax.Atom{Relation: sent.Head.Relation, Args: columnNames(len(r.Head.Args))}
			to := syntax.Rule{Head: from, Kind: syntax.Next, Body: []syntax.Term{{Atom: &from}}, Position: r.Position}
			to.Head.Relation = flight(r.Head.Relation, late-1)
			if late == 1 {
				to.Head.Relation, to.Kind = r.Head.Relation, syntax.Async
			}
			add(to)
		}
	}
	return &changed
}

// fly compiles the rules of flying: messages under way are at no process.
func (g *Graph) fly(most int) {
	for _, r := range g.relations {
		name, by, ok := strings.Cut(r.name, "+")
		if !ok || most == 0 {
			continue
		}
		late, _ := strconv.Atoi(by)
		r.volatile = false
		r.rules = slices.DeleteFunc(r.rules, func(rule *rule) bool { return rule.frozen })
		for _, rule := range r.rules {
			if rule.kind == syntax.Async {
				rule.flight = late
			} else {
				rule.location = nil
			}
		}
		for _, rule := range g.byName[name].rules {
			if len(rule.positive) == 1 && rule.positive[0].relation == r && !rule.frozen {
				rule.location = nil
			}
		}
	}
	g.rules = slices.DeleteFunc(g.rules, func(rule *rule) bool { return rule.frozen && strings.Contains(rule.head.name, "+") })
}

// giveMemories gives the facts of memories of relations that have facts of the program only, which are
// always there, and the rounds in which others begin.
func (ev *evaluation) giveMemories(s *Step, memories []memory) {
	for _, m := range memories {
		if len(ev.graph.byName[m.name].rules) > 0 {
			ev.giveWhen(roundName(m.round), nil, s.named[m.round])
			continue
		}
		for _, f := range ev.graph.Program.Facts {
			if f.Relation == m.of && s.joinedBy(f) == m.round {
				ev.giveWhen(m.name, f.Args, solver.True)
			}
		}
	}
}

// Carried returns the facts that rules or messages carry into a later round, whatever the round, in the
// order in which they come first: the state of a step has them.
func (g *Graph) Carried() (all []recording.Fact) {
	seen := map[string]bool{}
	for _, r := range g.relations {
		for round := 2; round <= g.Bounds.EOT && r.name != syntax.Crash; round++ {
			for _, f := range r.nodes[round].facts {
				for by := f.first; by != nil; by = by.next {
					if by.rule.choice != nil || !by.rule.carries() {
						continue
					}
					under := 0 // way, for so many rounds more
					if by.from >= 0 && by.from != by.to && by.to >= 0 {
						under = g.Bounds.Late()
					}
					for late := range under + 1 {
						name := r.name
						if late > 0 {
							name = flight(name, late)
						}
						if key := name + text(f.tuple); !seen[key] {
							seen[key] = true
							all = append(all, recording.Fact{Relation: name, Args: f.Args()})
						}
					}
				}
			}
		}
		clear(seen)
	}
	_, memories := remembering(g.Program)
	for _, m := range memories {
		if n := g.node(m.of, m.round); n != nil && !onlyFacts(g.Program, m.of) {
			for _, f := range n.facts {
				all = append(all, recording.Fact{Relation: m.name, Args: f.Args()})
			}
		}
	}
	return all
}

// Fresh tells whether a relation has a fact in the last round that it has in no earlier one.
func (g *Graph) Fresh(relation string) bool {
	r := g.byName[relation]
	return r != nil && slices.ContainsFunc(r.nodes[g.Bounds.EOT].facts, func(f *Fact) bool {
		return !slices.ContainsFunc(r.nodes[1:g.Bounds.EOT], func(n *node) bool { return n.find(f.tuple) != nil })
	})
}
