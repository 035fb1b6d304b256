package guide

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// machine is some rules of a guide, with all that they depend on.
type machine struct {
	program   *dedalus.Program
	rules     []*rule                   // by rule of the program, nil for a part of one
	heads     []*rule                   // those that decide, in the order of the file
	momentary map[string]int            // by relation, the term that has to be new
	atoms     map[string][]*syntax.Atom // that read what is recorded
	unread    map[string][]int          // the columns that no atom reads
}

// maxFacts is the most facts that the rules of a guide may have at one time.
const maxFacts = 10_000_000

// compile prepares the three parts of a guide.
func (g *Guide) compile() {
	g.decisions = g.part(func(r *rule) bool {
		return r.head != "goto" && r.head != "waypoint" && r.head != "good" && r.head != "bad"
	})
	g.moves = g.part(func(r *rule) bool { return r.head == "goto" })
	g.waypoints = g.part(func(r *rule) bool { return r.head == "waypoint" })
}

// part returns the machine of the rules that decide and that are wanted.
func (g *Guide) part(wanted func(*rule) bool) machine {
	m := machine{momentary: map[string]int{}, atoms: map[string][]*syntax.Atom{}, unread: map[string][]int{}}
	var names []string
	for _, r := range g.rules {
		if !r.decides || !wanted(r) {
			continue
		}
		m.heads, names = append(m.heads, r), append(names, r.relation)
		if r.head == "goto" {
			m.momentary[r.relation] = lockstep.Any
		} else if r.focus >= 0 {
			m.momentary[r.relation] = r.focus
		}
		r.stays = g.lastly(r.relation, map[string]bool{})
	}
	if len(m.heads) == 0 {
		return m
	}
	m.program = g.compiled.Program.Slice(names...)
	for _, r := range m.program.Rules { // copies, with the same bodies
		i := slices.IndexFunc(g.rules, func(of *rule) bool { return &of.source.Body[0] == &r.Body[0] })
		if i >= 0 {
			m.rules = append(m.rules, g.rules[i])
		} else {
			m.rules = append(m.rules, nil)
		}
	}
	for _, r := range m.program.Rules {
		for _, t := range r.Body {
			if t.Atom != nil {
				m.atoms[t.Atom.Relation] = append(m.atoms[t.Atom.Relation], t.Atom)
			}
		}
	}
	for relation, atoms := range m.atoms {
		for column := range atoms[0].Args {
			if !slices.ContainsFunc(atoms, func(a *syntax.Atom) bool { _, wild := a.Args[column].(*syntax.Wildcard); return !wild }) {
				m.unread[relation] = append(m.unread[relation], column)
			}
		}
	}
	return m
}

// add adds a row, unless no atom can be about it. What no atom reads of it is left out.
func (m *machine) add(g *lockstep.Grower, relation string, row []specs.Value) {
	if g == nil || !m.reads(relation, row) {
		return
	}
	if unread := m.unread[relation]; len(unread) > 0 {
		row = append(make([]specs.Value, 0, 8), row...)
		for _, column := range unread {
			row[column] = specs.Value{}
		}
	}
	g.Add(g.Relation(relation), row...)
}

// reads tells whether some atom may be about a row.
func (m *machine) reads(relation string, row []specs.Value) bool {
	return slices.ContainsFunc(m.atoms[relation], func(a *syntax.Atom) bool { return a.Fits(row) })
}
