package provenance

import "slices"

// plan is the order in which a rule's body is matched.
type plan struct {
	steps []step
}

// step is one step of a plan.
type step struct {
	kind    stepKind
	atom    int        // matched or absent: which positive or negative atom
	columns []int      // matched: the columns whose values are known before
	key     []*operand // their values
	pattern int        // the number of columns in the relation's patterns
	whole   bool       // all columns are known
	binds   []binding  // matched: the columns that give a slot its value
	repeats []binding  // matched: the columns that repeat one of the bound ones
	test    *operand
	tests   []*operand // matched: the comparisons that can be decided now, before conditions are made
	equal   *equijoin  // matched: one of them, if it finds facts
	values  []uint32   // scratch: the key under the current binding
}

type stepKind int

const (
	matched   stepKind = iota // a positive atom has a fact
	tested                    // a comparison holds
	located                   // the rule's location is a process
	broadcast                 // the destination is a process
	absent                    // a negated atom has no fact
)

// binding is a column of an atom and the slot of its value.
type binding struct{ column, slot int }

// plan returns the plan that begins with a positive atom. It is made when it is
// first needed.
func (r *rule) plan(first int) *plan {
	if r.plans[first] == nil {
		p := &planner{rule: r, bound: make([]bool, r.slots), plan: &plan{}}
		p.build(first)
		r.plans[first] = p.plan
	}
	return r.plans[first]
}

// planner builds one plan, greedily: next comes the atom with the most known columns; tests
// and absences come as soon as they can be decided.
type planner struct {
	rule    *rule
	plan    *plan
	bound   []bool // by slot
	before  []bool // bound before the last atom
	matched []bool // by positive atom
	tested  []bool
	absent  []bool
	located bool
}

func (p *planner) build(first int) {
	r := p.rule
	p.matched = make([]bool, len(r.positive))
	p.tested = make([]bool, len(r.tests))
	p.absent = make([]bool, len(r.negative))
	p.decide()
	for range r.positive {
		if first < 0 {
			first = p.best()
		}
		p.match(first)
		first = -1
		p.decide()
	}
	if r.destination >= 0 {
		p.plan.steps = append(p.plan.steps, step{kind: broadcast})
		p.bound[r.destination] = true
		p.decide()
	}
}

// best returns the positive atom to match next.
func (p *planner) best() int {
	best, most := -1, -1
	for i := range p.rule.positive {
		if p.matched[i] {
			continue
		}
		known := 0
		for _, col := range p.rule.positive[i].columns {
			if col.value != nil && p.known(col.value) {
				known++
			}
		}
		if known > most {
			best, most = i, known
		}
	}
	return best
}

// known tells whether all slots that an operand reads are bound.
func (p *planner) known(o *operand) bool {
	known := true
	o.slots(func(slot int) { known = known && p.bound[slot] })
	return known
}

// match adds the step for a positive atom.
func (p *planner) match(i int) {
	a := &p.rule.positive[i]
	s := step{kind: matched, atom: i}
	var fresh []int
	for c, col := range a.columns {
		switch {
		case col.value == nil:
		case p.known(col.value):
			s.columns = append(s.columns, c)
			s.key = append(s.key, col.value)
			if col.slot >= 0 { // also into its slot, which a test reads
				s.binds = append(s.binds, binding{c, col.slot})
				fresh = append(fresh, col.slot)
			}
		default:
			slot := col.slot
			if slot < 0 {
				slot = col.value.slot
			}
			if slices.Contains(fresh, slot) {
				s.repeats = append(s.repeats, binding{c, slot})
				continue
			}
			s.binds = append(s.binds, binding{c, slot})
			fresh = append(fresh, slot)
		}
	}
	p.before = slices.Clone(p.bound)
	for _, slot := range fresh {
		p.bound[slot] = true
	}
	s.find(a.relation)
	p.matched[i] = true
	p.plan.steps = append(p.plan.steps, s)
}

// decide adds the tests and absences whose slots are bound.
func (p *planner) decide() {
	r := p.rule
	for i, t := range r.tests {
		if !p.tested[i] && p.known(t) {
			p.tested[i] = true
			p.test(t)
		}
	}
	if r.location != nil && !p.located && p.known(r.location) {
		p.located = true
		p.plan.steps = append(p.plan.steps, step{kind: located})
	}
	for i := range r.negative {
		if !p.absent[i] && p.decidable(&r.negative[i]) {
			p.absent[i] = true
			p.plan.steps = append(p.plan.steps, r.lookups[i])
		}
	}
}

// test adds a comparison: to the match before it, if no other step comes between, so that
// no condition is made for excluded facts.
func (p *planner) test(t *operand) {
	if n := len(p.plan.steps); n > 0 && p.plan.steps[n-1].kind == matched {
		s := &p.plan.steps[n-1]
		s.tests = append(s.tests, t)
		if s.equal == nil {
			s.equal = s.equijoin(t, p.before)
		}
		return
	}
	p.plan.steps = append(p.plan.steps, step{kind: tested, test: t})
}

func (p *planner) decidable(a *atom) bool {
	for _, col := range a.columns {
		if col.value != nil && !p.known(col.value) {
			return false
		}
	}
	return true
}

// lookup returns the step that looks for the facts of a negated atom.
func (a *atom) lookup(i int) step {
	s := step{kind: absent, atom: i}
	for c, col := range a.columns {
		if col.value != nil {
			s.columns = append(s.columns, c)
			s.key = append(s.key, col.value)
		}
	}
	s.find(a.relation)
	return s
}

// find prepares a step for lookups by its known columns.
func (s *step) find(r *relation) {
	s.whole = len(s.columns) == r.arity
	s.values = make([]uint32, len(s.columns))
	if !s.whole && len(s.columns) > 0 {
		s.pattern = r.pattern(s.columns)
	}
}

// compute computes the known columns under a binding; false if one has no
// value.
func (s *step) compute(v *values, env []uint32) bool {
	for i, o := range s.key {
		id, ok := o.id(v, env)
		if !ok {
			return false
		}
		s.values[i] = id
	}
	return true
}
