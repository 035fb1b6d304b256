package provenance

import "github.com/lineage-driven/ldfi/solver"

// join finds the bindings under which a rule fires in a round. On its way it collects the
// condition of the facts, absences and location used so far, and backtracks if the
// condition is False.
type join struct {
	ev       *evaluation
	rule     *rule
	steps    []step
	round    int
	delta    int       // the positive atom that must match a fact of the last turn, -1: none
	grouping *grouping // of a rule that aggregates

	env      []uint32 // by slot
	positive []*Fact  // by positive atom
	from     int      // the process at the rule's location, -1 for none
}

// run finds all bindings; if delta is not -1, only those with a fact of the last turn for
// the positive atom delta.
func (j *join) run(r *rule, round, delta int, g *grouping) {
	first := delta
	if delta < 0 {
		first = j.smallest(r, round)
	}
	if first < 0 {
		return
	}
	j.rule, j.round, j.delta, j.grouping, j.from = r, round, delta, g, -1
	j.steps = r.plan(first).steps
	j.env = sized(j.env, r.slots)
	j.positive = sized(j.positive, len(r.positive))
	j.step(0, solver.True)
}

// sized returns a slice of length n, reusing the memory of s.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, 2*n)
	}
	return s[:n]
}

// smallest returns the positive atom with the fewest facts, -1 if one has none.
func (j *join) smallest(r *rule, round int) int {
	first, fewest := 0, int(^uint(0)>>1)
	for i := range r.positive {
		n := r.positive[i].node(round)
		if n == nil || len(n.facts) == 0 {
			return -1
		}
		if len(n.facts) < fewest {
			first, fewest = i, len(n.facts)
		}
	}
	return first
}

// step takes step i and all later ones, in every way.
func (j *join) step(i int, cond solver.Lit) {
	if i == len(j.steps) {
		j.ev.fire(j, cond)
		return
	}
	s := &j.steps[i]
	switch s.kind {
	case matched:
		j.match(s, i, cond)
	case tested:
		if s.test.holds(j.ev.graph.values, j.env) {
			j.step(i+1, cond)
		}
	case located:
		if cond, ok := j.locate(cond); ok {
			j.step(i+1, cond)
		}
	case broadcast:
		for _, id := range j.ev.processes {
			j.env[j.rule.destination] = id
			j.step(i+1, cond)
		}
	case absent:
		if cond = j.absent(s, cond); cond != solver.False {
			j.step(i+1, cond)
		}
	}
}

// locate finds the process at which the rule fires.
func (j *join) locate(cond solver.Lit) (solver.Lit, bool) {
	id, ok := j.rule.location.id(j.ev.graph.values, j.env)
	if !ok {
		return cond, false
	}
	p := j.ev.process(id)
	if p < 0 {
		return cond, false
	}
	j.from = p
	if j.ev.joined != nil && j.round < j.ev.joined[p] {
		return cond, false
	}
	if joined := j.ev.graph.restriction.joined; joined != nil {
		cond = j.ev.circuit.And(cond, joined[p])
	}
	switch {
	case j.rule.frozen:
		cond = j.ev.circuit.And(cond, j.ev.delivery.crashed(p, j.round))
	case j.ev.stops && j.rule.carries():
		cond = j.ev.circuit.And(cond, j.ev.delivery.crashed(p, j.round).Not())
	}
	return cond, cond != solver.False
}

// match goes through the facts of a positive atom.
func (j *join) match(s *step, i int, cond solver.Lit) {
	n := j.rule.positive[s.atom].node(j.round)
	if n == nil || !s.compute(j.ev.graph.values, j.env) {
		return
	}
	low, high := j.within(n, s.atom)
	switch {
	case s.whole:
		if f := n.find(s.values); f != nil && low <= int(f.position) && int(f.position) < high {
			j.use(s, i, f, cond)
		}
	case s.equal != nil && len(n.facts) > few && !j.ev.open(n):
		for _, at := range s.equal.matches(j, s, n) {
			if !j.ev.goOn() {
				return
			}
			j.use(s, i, n.facts[at], cond)
		}
	case len(s.key) == 0 || len(n.facts) <= few:
		for at := low; at < high && j.ev.goOn(); at++ {
			if f := n.facts[at]; f.has(s.columns, s.values) {
				j.use(s, i, f, cond)
			}
		}
	default:
		at, next := n.chain(s.pattern, s.values)
		for ; at > 0 && j.ev.goOn(); at = next[at-1] {
			if p := int(at) - 1; low <= p && p < high && n.facts[p].has(s.columns, s.values) {
				j.use(s, i, n.facts[p], cond)
			}
		}
	}
}

// within returns the positions of the facts that an atom may match. During a recursion
// these are the facts before this turn. To meet each combination once, the atoms before the
// delta atom match old facts only.
func (j *join) within(n *node, atom int) (low, high int) {
	switch {
	case !j.ev.open(n):
		return 0, len(n.facts)
	case atom == j.delta:
		return n.old, n.delta
	case atom < j.delta:
		return 0, n.old
	default:
		return 0, n.delta
	}
}

// has tells whether a fact has the values in the columns.
func (f *Fact) has(columns []int, values []uint32) bool {
	for i, c := range columns {
		if f.tuple[c] != values[i] {
			return false
		}
	}
	return true
}

// use takes a fact for a positive atom and continues with the next step.
func (j *join) use(s *step, i int, f *Fact, cond solver.Lit) {
	for _, b := range s.binds {
		j.env[b.slot] = f.tuple[b.column]
	}
	for _, b := range s.repeats {
		if j.env[b.slot] != f.tuple[b.column] {
			return
		}
	}
	for _, t := range s.tests {
		if !t.holds(j.ev.graph.values, j.env) {
			return
		}
	}
	if f.fixed {
		if cond = j.ev.circuit.And(cond, f.cond); cond == solver.False {
			return
		}
	}
	j.positive[s.atom] = f
	j.step(i+1, cond)
}

// absent adds to a condition that no fact matches a negated atom. Facts of the component
// that is being evaluated count only if they are certain; the others are left for later.
func (j *join) absent(s *step, cond solver.Lit) solver.Lit {
	a := &j.rule.negative[s.atom]
	n := a.node(j.round)
	if !s.compute(j.ev.graph.values, j.env) {
		return solver.False
	}
	if n == nil || len(n.facts) == 0 {
		return cond
	}
	if j.ev.open(n) {
		n.each(a, s, func(f *Fact) bool {
			if f.lower == solver.True {
				cond = solver.False
			}
			return cond != solver.False && j.ev.goOn()
		})
		return cond
	}
	lits := j.ev.lits[:0]
	n.each(a, s, func(f *Fact) bool {
		lits = append(lits, f.cond)
		return f.cond != solver.True && j.ev.goOn()
	})
	j.ev.lits = lits
	return j.ev.circuit.And(cond, j.ev.circuit.Ors(lits...).Not())
}

// each calls visit for the facts that match a negated atom, until it returns
// false.
func (n *node) each(a *atom, s *step, visit func(*Fact) bool) {
	if s.whole {
		if f := n.find(s.values); f != nil {
			visit(f)
		}
		return
	}
	if len(s.key) == 0 || len(n.facts) <= few {
		for _, f := range n.facts {
			if f.has(s.columns, s.values) && a.repeats(f) && !visit(f) {
				return
			}
		}
		return
	}
	at, next := n.chain(s.pattern, s.values)
	for ; at > 0; at = next[at-1] {
		if f := n.facts[at-1]; f.has(s.columns, s.values) && a.repeats(f) && !visit(f) {
			return
		}
	}
}

// repeats tells whether a fact has equal values wherever a negated atom repeats
// a wildcard variable.
func (a *atom) repeats(f *Fact) bool {
	for i, col := range a.columns {
		if col.local < 0 {
			continue
		}
		for k := range i {
			if a.columns[k].local == col.local && f.tuple[k] != f.tuple[i] {
				return false
			}
		}
	}
	return true
}
