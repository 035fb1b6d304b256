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
	rules     []*rule             // by rule of the program, nil for a part of one
	heads     []*rule             // those that decide, in the order of the file
	momentary map[string][]int    // by relation, for each of its rules: the term that has to be new
	atoms     map[string]*readers // by relation
}

// The most facts that the rules of a guide may have at one time, and the most steps that they may take in
// an execution. Tests change them.
var maxFacts, maxSteps = 4_000_000, 200_000_000

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
	m := machine{momentary: map[string][]int{}, atoms: map[string]*readers{}}
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
				m.read(t.Atom)
			}
		}
	}
	return m
}

// add adds a row, unless no atom can be about it. What none of those that can be reads of it
// is left out. It writes over the scratch.
func (m *machine) add(g *lockstep.Grower, scratch []specs.Value, relation string, row []specs.Value) {
	if g != nil {
		m.put(g, scratch, relation, m.atoms[relation].of(row), row)
	}
}

// put is add where it is known which atoms can be about the row.
func (m *machine) put(g *lockstep.Grower, scratch []specs.Value, relation string, atoms []readAtom, row []specs.Value) {
	fits, read := false, uint64(0)
	for i := range atoms {
		if a := &atoms[i]; a.fits(row) {
			fits, read = true, read|a.reads
		}
	}
	if !fits {
		return
	}
	scratch = append(scratch[:0], row...)
	read |= m.atoms[relation].tested // else another atom may be about what is left
	for i := range row {
		if read&(1<<min(i, 63)) == 0 {
			scratch[i] = specs.Value{}
		}
	}
	if relation == ofMessage.Name && read&1 != 0 { // its number makes it new
		g.AddNew(g.Relation(relation), scratch...)
		return
	}
	g.Add(g.Relation(relation), scratch...)
}

// interest is which atoms can be about messages of a kind.
type interest struct{ decide, way, move []readAtom }

// interestIn returns which atoms can be about messages of a kind.
func (r *Run) interestIn(kind string) *interest {
	of := r.interests[kind]
	if of == nil {
		row := make([]specs.Value, len(ofMessage.Columns))
		row[slices.Index(ofMessage.Columns, "Kind")] = specs.String(kind)
		of = &interest{}
		for _, part := range []struct {
			*machine
			*lockstep.Grower
			to *[]readAtom
		}{{&r.guide.decisions, r.decide, &of.decide}, {&r.guide.waypoints, r.way, &of.way}, {&r.guide.moves, r.move, &of.move}} {
			if part.Grower != nil {
				*part.to = part.atoms[ofMessage.Name].of(row)
			}
		}
		if r.interests == nil || len(r.interests) > 1000 {
			r.interests = map[string]*interest{}
		}
		r.interests[kind] = of
	}
	return of
}

// readers are the atoms that read a relation.
type readers struct {
	all    []readAtom
	kind   int                        // the column of the kind of a message, -1 without
	ofKind map[specs.Value][]readAtom // for each kind that an atom names: those for it, and for all
	others []readAtom                 // for all kinds
	tested uint64                     // the columns by which an atom may not be about a row: they are never left out
}

// read takes note of an atom.
func (m *machine) read(a *syntax.Atom) {
	r := m.atoms[a.Relation]
	if r == nil {
		r = &readers{kind: slices.Index(columnsOf(a.Relation), "Kind"), ofKind: map[specs.Value][]readAtom{}}
		m.atoms[a.Relation] = r
	}
	atom := newReadAtom(a)
	r.all = append(r.all, atom)
	for _, column := range atom.constant {
		r.tested |= 1 << min(column, 63)
	}
	for _, two := range atom.same {
		r.tested |= 1<<min(two[0], 63) | 1<<min(two[1], 63)
	}
	if r.kind < 0 {
		return
	}
	clear(r.ofKind)
	r.others = nil
	for _, a := range r.all {
		if a.kind(r.kind) == nil {
			r.others = append(r.others, a)
		}
	}
	for _, a := range r.all {
		if k := a.kind(r.kind); k != nil {
			if r.ofKind[*k] == nil {
				r.ofKind[*k] = slices.Clone(r.others)
			}
			r.ofKind[*k] = append(r.ofKind[*k], a)
		}
	}
}

// of returns the atoms that can be about a row, and maybe others.
func (r *readers) of(row []specs.Value) []readAtom {
	switch {
	case r == nil:
		return nil
	case r.kind < 0 || r.kind >= len(row):
		return r.all
	}
	if atoms, named := r.ofKind[row[r.kind]]; named {
		return atoms
	}
	return r.others
}

// readAtom is an atom that reads what is recorded.
type readAtom struct {
	columns  int
	constant []int         // the columns that have to be
	values   []specs.Value // these
	same     [][2]int      // the columns that are equal
	reads    uint64        // the columns that matter; the last bit stands for all from there on
}

func newReadAtom(a *syntax.Atom) readAtom {
	r := readAtom{columns: len(a.Args)}
	for i, e := range a.Args {
		switch e := e.(type) {
		case *syntax.Wildcard:
			continue
		case *syntax.Constant:
			r.constant, r.values = append(r.constant, i), append(r.values, e.Value)
		case *syntax.Variable:
			if before := slices.IndexFunc(a.Args[:i], func(o syntax.Expr) bool { return same(o, e) }); before >= 0 {
				r.same = append(r.same, [2]int{before, i})
			}
		}
		r.reads |= 1 << min(i, 63)
	}
	return r
}

// kind returns the constant in a column, nil if there is none.
func (r *readAtom) kind(column int) *specs.Value {
	if i := slices.Index(r.constant, column); i >= 0 {
		return &r.values[i]
	}
	return nil
}

// fits tells whether the atom can be about a row.
func (r *readAtom) fits(row []specs.Value) bool {
	if len(row) != r.columns {
		return false
	}
	for i, column := range r.constant {
		if row[column] != r.values[i] {
			return false
		}
	}
	for _, s := range r.same {
		if row[s[0]] != row[s[1]] {
			return false
		}
	}
	return true
}

// reads tells whether some atom may be about a row.
func (m *machine) reads(relation string, row []specs.Value) bool {
	atoms := m.atoms[relation].of(row)
	return slices.ContainsFunc(atoms, func(a readAtom) bool { return a.fits(row) })
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
