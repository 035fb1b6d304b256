package lockstep

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
)

// plan is an order in which a rule's body is evaluated: nested loops, each
// step in the middle of the one before it.
type plan struct {
	steps []step
	slots int // how many it needs
}

// step is one step of a plan.
type step struct {
	kind    stepKind
	atom    int           // match, absent: the number of the atom in the rule
	pattern int           // match, absent: by which pattern to search
	keys    []*expression // match, absent: the values to search for, in the order of the pattern
	scratch int           // match, absent: the slots for the values of the keys
	binds   []binding     // match: the values to take from a row
	same    [][2]int      // absent: columns that must be equal
	test    *expression   // filter
	slot    int           // each: the slot of the destination
	place   *expression   // locate: the location
	term    int           // match, absent, filter: the term of the body that it comes from
	least   []*expression // match: the last column is at least as large as these
	most    []*expression // match: and at most as large as these
	more    []*expression // match: larger than these
	less    []*expression // match: smaller than these
	once    bool          // match: the head is the same for all rows
}

// binding says which column of a row goes to which slot.
type binding struct{ column, slot int }

type stepKind int

const (
	match  stepKind = iota // loop over the rows of a table
	absent                 // go on if no row is there
	filter                 // go on if a comparison holds
	each                   // loop over the processes
	locate                 // go on if the rule fires at its location
	fire                   // the head holds
)

// planner chooses the order of the steps, as it goes.
type planner struct {
	*compiler
	rule    *rule
	bound   map[string]bool
	placed  []bool // by body term
	equals  []hidden
	located bool // its location is checked
	inOrder bool // the atoms stay in the order of the source
	grows   bool // for a [Grower]: no row is looked at that makes no difference
	plan    plan
}

// hidden is a column that has to equal an expression whose variables were not
// bound when the column was met.
type hidden struct {
	slot  int
	value syntax.Expr
	term  int
}

// plan returns a plan for a rule that begins with the given body term; -1
// leaves the choice free.
func (c *compiler) plan(r *rule, first int) *plan {
	return c.planner(r).complete(first)
}

func (c *compiler) planner(r *rule) *planner {
	return &planner{
		compiler: c, rule: r, bound: map[string]bool{}, placed: make([]bool, len(r.body)),
		located: r.place == nil,
	}
}

func (p *planner) complete(first int) *plan {
	r := p.rule
	p.plan.slots = len(r.slots)
	p.settle()
	if first < 0 {
		first = p.next()
	}
	for next := first; next >= 0; next = p.next() {
		p.match(next)
		p.settle()
	}
	if r.destination != "" {
		p.add(step{kind: each, slot: r.slots[r.destination]})
		p.bound[r.destination] = true
		p.settle()
	}
	p.finish()
	p.add(step{kind: fire})
	return &p.plan
}

func (p *planner) add(s step) { p.plan.steps = append(p.plan.steps, s) }

// next returns the positive atom to match next, -1 if none is left: an atom whose columns
// are all known, or else one with the most known columns; among equals the one with the
// fewest unknown columns, and the first in the source.
func (p *planner) next() int {
	best, score := -1, [3]int{}
	for i, t := range p.rule.body {
		if p.placed[i] || t.Atom == nil || t.Negated {
			continue
		}
		if p.inOrder {
			return i
		}
		known, unknown := 0, 0
		for _, e := range t.Atom.Args {
			if p.known(e) {
				known++
			} else if _, wild := e.(*syntax.Wildcard); !wild {
				unknown++
			}
		}
		s := [3]int{0, known, -unknown}
		if known == len(t.Atom.Args) {
			s[0] = 1
		}
		if best < 0 || slices.Compare(s[:], score[:]) > 0 {
			best, score = i, s
		}
	}
	return best
}

// known tells whether an expression can be evaluated by now.
func (p *planner) known(e syntax.Expr) bool {
	if _, wild := e.(*syntax.Wildcard); wild {
		return false
	}
	known := true
	syntax.EachVariable(e, func(v *syntax.Variable) { known = known && p.bound[v.Name] })
	return known
}

// match adds the loop over a positive atom.
func (p *planner) match(term int) {
	p.placed[term] = true
	atom := p.rule.body[term].Atom
	s := step{kind: match, atom: p.rule.atomOf[term], term: term, once: p.grows && p.headKnown()}
	if p.grows {
		p.limit(&s, atom)
	}
	var columns pattern
	for i, e := range atom.Args {
		if !p.known(e) {
			continue
		}
		columns, s.keys = append(columns, i), append(s.keys, p.compile(e, p.rule.slots))
	}
	for i, e := range atom.Args {
		if slices.Contains(columns, i) {
			continue
		}
		switch e := e.(type) {
		case *syntax.Wildcard:
		case *syntax.Variable:
			if !p.bound[e.Name] {
				p.bound[e.Name] = true
				s.binds = append(s.binds, binding{i, p.rule.slots[e.Name]})
				continue
			}
			s.binds = append(s.binds, binding{i, p.hide(e, term)})
		default:
			s.binds = append(s.binds, binding{i, p.hide(e, term)})
		}
	}
	p.search(&s, atom, columns)
	p.add(s)
}

// headKnown tells whether the head has its values by now.
func (p *planner) headKnown() bool {
	for _, e := range p.rule.source.Head.Args {
		if !p.known(e) {
			return false
		}
	}
	return true
}

// limit fills in what comparisons say of the last column of an atom.
func (p *planner) limit(s *step, atom *syntax.Atom) {
	if len(atom.Args) == 0 {
		return
	}
	v, ok := atom.Args[len(atom.Args)-1].(*syntax.Variable)
	if !ok || p.bound[v.Name] {
		return
	}
	is := func(e syntax.Expr) bool { w, ok := e.(*syntax.Variable); return ok && w.Name == v.Name }
	for _, t := range p.rule.body {
		b, ok := t.Test.(*syntax.Binary)
		if !ok {
			continue
		}
		op, other := b.Op, b.Right
		if is(b.Right) {
			op, other = turned[op], b.Left
		} else if !is(b.Left) {
			continue
		}
		list := map[string]*[]*expression{">=": &s.least, "<=": &s.most, ">": &s.more, "<": &s.less}[op]
		if list != nil && p.known(other) {
			*list = append(*list, p.compile(other, p.rule.slots))
		}
	}
}

// turned are comparisons from the other side.
var turned = map[string]string{">=": "<=", "<=": ">=", ">": "<", "<": ">"}

// hide returns a new slot, for a column that has to equal an expression.
func (p *planner) hide(e syntax.Expr, term int) int {
	slot := p.plan.slots
	p.plan.slots++
	p.equals = append(p.equals, hidden{slot, e, term})
	return slot
}

// search fills in how a step searches its table.
func (p *planner) search(s *step, atom *syntax.Atom, columns pattern) {
	s.scratch = p.plan.slots
	p.plan.slots += len(columns)
	s.pattern = p.relations[p.numbers[atom.Relation]].search(columns)
}

// settle adds every test that can be made by now: the location, comparisons, and negated
// atoms. Tests that may have no value come last, so that other tests can guard them.
func (p *planner) settle() {
	if !p.located && p.known(p.rule.place) {
		p.located = true
		p.add(step{kind: locate, place: p.compile(p.rule.place, p.rule.slots)})
	}
	p.settleEquals(false)
	p.settleTests(false)
	p.settleAbsent()
	p.settleEquals(true)
	p.settleTests(true)
}

func (p *planner) settleEquals(late bool) {
	var left []hidden
	for _, h := range p.equals {
		if !p.known(h.value) {
			left = append(left, h)
			continue
		}
		value := p.compile(h.value, p.rule.slots)
		if value.computes() && !late {
			left = append(left, h)
			continue
		}
		p.add(step{kind: filter, test: &expression{op: equal, left: &expression{op: variable, slot: h.slot}, right: value}, term: h.term})
	}
	p.equals = left
}

func (p *planner) settleTests(late bool) {
	for i, t := range p.rule.body {
		if p.placed[i] || t.Test == nil || !p.known(t.Test) {
			continue
		}
		test := p.compileTest(t.Test, p.rule.slots)
		if test.computes() && !late {
			continue
		}
		p.placed[i] = true
		p.add(step{kind: filter, test: test, term: i})
	}
}

// settleAbsent adds the negated atoms whose variables are bound, except for
// those that only negated atoms have.
func (p *planner) settleAbsent() {
	for i, t := range p.rule.body {
		if p.placed[i] || t.Atom == nil || !t.Negated || !p.ready(t.Atom) {
			continue
		}
		p.placed[i] = true
		s := step{kind: absent, atom: p.rule.atomOf[i], term: i}
		var columns pattern
		first := map[string]int{}
		for column, e := range t.Atom.Args {
			v, isVariable := e.(*syntax.Variable)
			if _, wild := e.(*syntax.Wildcard); wild {
				continue
			}
			if isVariable && !p.rule.binds(v.Name) {
				if before, again := first[v.Name]; again {
					s.same = append(s.same, [2]int{before, column})
				} else {
					first[v.Name] = column
				}
				continue
			}
			columns, s.keys = append(columns, column), append(s.keys, p.compile(e, p.rule.slots))
		}
		p.search(&s, t.Atom, columns)
		p.add(s)
	}
}

// ready tells whether all variables of a negated atom that the rule binds are
// bound by now.
func (p *planner) ready(a *syntax.Atom) bool {
	ready := true
	for _, e := range a.Args {
		syntax.EachVariable(e, func(v *syntax.Variable) { ready = ready && (p.bound[v.Name] || !p.rule.binds(v.Name)) })
	}
	return ready
}

// finish reports parts that could not be placed; a checked program has none.
func (p *planner) finish() {
	for i, t := range p.rule.body {
		if !p.placed[i] {
			p.fail(fmt.Errorf("%s: this needs a variable that no positive atom binds", t.Position))
		}
	}
	if len(p.equals) > 0 {
		p.fail(fmt.Errorf("%s: %s has a variable that no positive atom binds", p.equals[0].value.Pos(), p.equals[0].value))
	}
	if !p.located {
		p.fail(fmt.Errorf("%s: the location %s has a variable that no positive atom binds", p.rule.place.Pos(), p.rule.place))
	}
}
