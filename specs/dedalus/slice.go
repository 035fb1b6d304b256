package dedalus

import (
	"maps"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
)

// Relation is a relation that a program mentions.
type Relation struct {
	Name     string
	Arity    int
	Position specs.Position // where it is mentioned first, facts before choices and rules
}

// Relations returns the relations that the program mentions, sorted by name.
func (p *Program) Relations() []Relation {
	seen := map[string]Relation{}
	add := func(name string, arity int, at specs.Position) {
		if _, ok := seen[name]; !ok {
			seen[name] = Relation{Name: name, Arity: arity, Position: at}
		}
	}
	for _, f := range p.Facts {
		add(f.Relation, len(f.Args), f.Position)
	}
	for _, c := range p.Choices {
		add(c.Relation, len(c.Columns), c.Position)
	}
	for _, r := range p.Rules {
		add(r.Head.Relation, len(r.Head.Args), r.Head.Position)
		for _, t := range r.Body {
			if t.Atom != nil {
				add(t.Atom.Relation, len(t.Atom.Args), t.Atom.Position)
			}
		}
	}
	all := make([]Relation, 0, len(seen))
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		all = append(all, seen[name])
	}
	return all
}

// Slice returns the part of the program that the given relations depend on:
// their rules, facts and choices, those of the relations in these rules' bodies, and so
// on. Its rules are copies, numbered anew.
func (p *Program) Slice(relations ...string) *Program {
	needed := p.dependencies(relations)
	s := *p
	s.Facts, s.Choices, s.Rules = nil, nil, nil
	for _, c := range p.Choices {
		if needed[c.Relation] {
			s.Choices = append(s.Choices, c)
		}
	}
	for _, f := range p.Facts {
		if needed[f.Relation] {
			s.Facts = append(s.Facts, f)
		}
	}
	for _, r := range p.Rules {
		if needed[r.Head.Relation] {
			c := *r
			c.Index = len(s.Rules)
			s.Rules = append(s.Rules, &c)
		}
	}
	return &s
}

// dependencies returns the given relations and all that they depend on.
func (p *Program) dependencies(relations []string) map[string]bool {
	bodies := map[string][]*syntax.Rule{}
	for _, r := range p.Rules {
		bodies[r.Head.Relation] = append(bodies[r.Head.Relation], r)
	}
	needed := map[string]bool{}
	todo := slices.Clone(relations)
	for len(todo) > 0 {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if needed[name] {
			continue
		}
		needed[name] = true
		for _, r := range bodies[name] {
			for _, t := range r.Body {
				if t.Atom != nil {
					todo = append(todo, t.Atom.Relation)
				}
			}
		}
	}
	return needed
}
