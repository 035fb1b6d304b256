package vet

import (
	"maps"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
)

// may has the known facts of a relation that depends on messages or faults, and has only
// deductive rules: the rounds in which it may have facts, and their values in some columns.
type may struct {
	columns []int
	rules   []*syntax.Rule // that say it
}

func mayBe(relation string) string { return "may " + relation }

// atom returns an atom with its known arguments only.
func (m *may) atom(a *syntax.Atom) *syntax.Atom {
	known := &syntax.Atom{Relation: mayBe(a.Relation)}
	for _, column := range m.columns {
		known.Args = append(known.Args, a.Args[column])
	}
	return known
}

// findMay finds the known facts of all relations, each after those that it reads. Recursive
// relations are unknown.
func (a *analysis) findMay() {
	a.deductive = a.derived()
	open := maps.Clone(a.deductive)
	for progress := true; progress; {
		progress = false
		for _, r := range a.Program.Relations() {
			rules := open[r.Name]
			if rules == nil || waits(rules, open) {
				continue
			}
			delete(open, r.Name)
			a.may[r.Name] = a.mayOf(rules, r.Arity)
			progress = true
		}
	}
}

// derived returns the rules of the relations of the protocol that have only deductive
// rules, and depend on messages or faults.
func (a *analysis) derived() map[string][]*syntax.Rule {
	rules := map[string][]*syntax.Rule{}
	for _, r := range a.Program.Rules {
		if a.protocol[r.Head.Relation] && !a.timed[r.Head.Relation] {
			rules[r.Head.Relation] = append(rules[r.Head.Relation], r)
		}
	}
	for _, r := range a.Program.Rules {
		if r.Kind != syntax.Deductive {
			delete(rules, r.Head.Relation)
		}
	}
	for _, f := range a.Program.Facts {
		delete(rules, f.Relation)
	}
	for _, c := range a.Program.Choices {
		delete(rules, c.Relation)
	}
	return rules
}

// waits tells whether rules read a relation of open, whose facts are yet to be found.
func waits(rules []*syntax.Rule, open map[string][]*syntax.Rule) bool {
	return slices.ContainsFunc(rules, func(r *syntax.Rule) bool {
		return slices.ContainsFunc(r.Body, func(t syntax.Term) bool { return t.Atom != nil && open[t.Atom.Relation] != nil })
	})
}

// mayOf returns the known facts of a relation with some rules: a column is known if it is
// known in each of them.
func (a *analysis) mayOf(rules []*syntax.Rule, arity int) *may {
	m := &may{}
	bodies := make([]*abstraction, len(rules))
	for i, r := range rules {
		bodies[i] = a.abstract(r)
	}
	for column := range arity {
		said := func(b *abstraction) bool { _, ok := b.value(b.rule.Head.Args[column]); return ok }
		if !slices.ContainsFunc(bodies, func(b *abstraction) bool { return !said(b) }) {
			m.columns = append(m.columns, column)
		}
	}
	for _, b := range bodies {
		var head []syntax.Expr
		for _, column := range m.columns {
			v, _ := b.value(b.rule.Head.Args[column])
			head = append(head, v)
		}
		m.rules = append(m.rules, b.gives(mayBe(b.rule.Head.Relation), head))
	}
	return m
}
