package guide

import (
	"slices"
	"strings"

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
	momentary map[string][]int          // by relation, for each of its rules: the term that has to be new
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
	m := machine{momentary: map[string][]int{}, atoms: map[string][]*syntax.Atom{}, unread: map[string][]int{}}
	var names []string
	for _, r := range g.rules {
		if !r.decides || !wanted(r) {
			continue
		}
		m.heads, names = append(m.heads, r), append(names, r.relation)
		if r.head == "goto" {
			m.momentary[r.relation] = []int{lockstep.Any}
		} else if r.focus >= 0 {
			m.momentary[r.relation] = []int{r.focus}
		}
		r.stays = g.lastly(r.relation, map[string]bool{})
	}
	if len(m.heads) == 0 {
		return m
	}
	m.program = g.compiled.Program.Slice(names...)
	m.ofMessages(g)
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

// ofMessages makes those relations momentary that only matter for messages of the round:
// their rules are about a message, and only rules about that message read them.
func (m *machine) ofMessages(g *Guide) {
	about := map[string]int{} // by relation, the column of the message
	for _, r := range m.heads {
		if r.about {
			about[r.relation] = 0
		}
	}
	for _, r := range m.program.Rules {
		head := r.Head.Relation
		column := slices.Index(g.types[head], message)
		if column >= 0 && !isMade(head) && !g.lastly(head, map[string]bool{}) && !g.depends(head, head, map[string]bool{}) {
			about[head] = column
		}
	}
	for changed := true; changed; {
		changed = false
		for _, r := range m.program.Rules {
			column, is := about[r.Head.Relation]
			if is && termOf(r, r.Head.Args[column], g.types) < 0 {
				delete(about, r.Head.Relation)
				is, changed = false, true
			}
			for _, t := range r.Body {
				if t.Atom == nil {
					continue
				}
				at, reads := about[t.Atom.Relation]
				if reads && (!is || t.Atom.Relation == r.Head.Relation || !same(t.Atom.Args[at], r.Head.Args[column])) {
					delete(about, t.Atom.Relation)
					changed = true
				}
			}
		}
	}
	for _, r := range m.program.Rules {
		if column, is := about[r.Head.Relation]; is && !isMade(r.Head.Relation) {
			m.momentary[r.Head.Relation] = append(m.momentary[r.Head.Relation], termOf(r, r.Head.Args[column], g.types))
		}
	}
}

// depends tells whether a relation depends on another one.
func (g *Guide) depends(relation, on string, seen map[string]bool) bool {
	for _, r := range g.compiled.Program.Rules {
		if r.Head.Relation != relation {
			continue
		}
		for _, t := range r.Body {
			if t.Atom == nil || seen[t.Atom.Relation] {
				continue
			}
			seen[t.Atom.Relation] = true
			if t.Atom.Relation == on || g.depends(t.Atom.Relation, on, seen) {
				return true
			}
		}
	}
	return false
}

// isMade tells whether a relation is no relation of the guide by its own name.
func isMade(relation string) bool { return strings.Contains(relation, "?") }

func same(a, b syntax.Expr) bool {
	v, ok := a.(*syntax.Variable)
	w, also := b.(*syntax.Variable)
	return ok && also && v.Name == w.Name
}

// termOf returns the term of a body that is new whenever the message is one of the round, -1 if
// there is none.
func termOf(r *syntax.Rule, of syntax.Expr, types map[string][]kind) int {
	return slices.IndexFunc(r.Body, func(t syntax.Term) bool {
		if t.Atom == nil || t.Negated {
			return false
		}
		for column, e := range t.Atom.Args {
			if same(e, of) && types[t.Atom.Relation][column] == message {
				return true
			}
		}
		return false
	})
}
