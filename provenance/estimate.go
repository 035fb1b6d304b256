package provenance

import "github.com/lineage-driven/ldfi/solver"

// While the facts of a recursion that makes new values are collected, their conditions are
// estimated, so that a recursion which ends under each schedule ends here too. A fact has
// two estimates, which grow as firings are found: it is possible under cond, and certain
// under lower. A firing that is not possible by the present estimates is deferred: its head
// is added only if the firing turns out to be possible after all. At first, firings that
// are certain under no schedule are deferred as well, since certain facts exclude others.

// deferredFiring is a firing whose head is not added yet.
type deferredFiring struct {
	firing *Firing
	node   *node
	head   []uint32
}

// possibleWhen estimates when a firing is possible.
func (ev *evaluation) possibleWhen(f *Firing) solver.Lit {
	upper := f.cond
	if !ev.estimating {
		return upper
	}
	for _, fact := range f.positive {
		if !fact.fixed {
			upper = ev.circuit.And(upper, fact.cond)
		}
	}
	ev.against(f, func(fact *Fact) {
		upper = ev.circuit.And(upper, fact.lower.Not())
	})
	return upper
}

// certainWhen estimates when a firing is certain.
func (ev *evaluation) certainWhen(f *Firing) solver.Lit {
	lower := f.cond
	for _, fact := range f.positive {
		if !fact.fixed {
			lower = ev.circuit.And(lower, fact.lower)
		}
	}
	for i := range f.rule.negative {
		if n := f.rule.negative[i].node(int(f.round)); n != nil && ev.open(n) {
			return solver.False
		}
	}
	return lower
}

// against calls visit for the facts of the component that a firing needs
// absent.
func (ev *evaluation) against(f *Firing, visit func(*Fact)) {
	if f.rows != nil {
		return
	}
	for i := range f.rule.negative {
		a := &f.rule.negative[i]
		n := a.node(int(f.round))
		if n == nil || !ev.open(n) {
			continue
		}
		s := &f.rule.lookups[i]
		s.compute(ev.graph.values, f.env)
		n.each(a, s, func(fact *Fact) bool {
			visit(fact)
			return ev.goOn()
		})
	}
}

// estimate adds to the estimates of the head of a firing.
func (ev *evaluation) estimate(head *Fact, upper, lower solver.Lit) {
	if !head.fixed {
		head.cond = ev.grow(head.cond, upper)
		head.lower = ev.grow(head.lower, lower)
	}
}

// grow adds to an estimate. Where estimates are compared by function, an estimate that
// stays the same keeps its literal.
func (ev *evaluation) grow(estimate, more solver.Lit) solver.Lit {
	grown := ev.circuit.Or(estimate, more)
	if grown == estimate || estimate == solver.False {
		return grown
	}
	if ev.narrow {
		if implied, known := ev.ask().diagrams.Implies(more, estimate); known && !implied {
			return ev.canonical(grown)
		} else if known {
			return estimate
		}
	}
	if ev.refining && ev.implies(more, estimate) {
		return estimate
	}
	return grown
}

// manyTurns is the number of turns after which a solver checks whether an estimate is
// possible.
const manyTurns = 16

// reachable tells whether something is possible by its estimate.
func (ev *evaluation) reachable(upper solver.Lit) bool {
	if ev.narrow {
		upper = ev.canonical(upper)
	}
	if !ev.careful || !ev.estimating {
		return upper != solver.False
	}
	return ev.possible(upper)
}

// How often the estimates are brought up to date before they are looked at
// closely, and before they are given up and everything is taken to be possible.
const (
	fewSweeps  = 4 // after which a solver is used
	manySweeps = 40
)

// resume updates all estimates and concludes the heads of firings that turn out to be
// possible.
func (r *recursion) resume() {
	if !r.estimating {
		return
	}
	r.settle()
	r.onlyCertain = false
	for again := true; again && r.check(); {
		r.settle()
		again = r.addDeferred()
	}
}

// settle brings all estimates up to date, or gives them up.
func (r *recursion) settle() {
	defer func() { r.refining = false }()
	for sweep := range manySweeps {
		r.refining = sweep >= fewSweeps
		if !r.sweep() || !r.check() {
			return
		}
	}
	r.estimating = false
	r.findAllHeads()
}

// addDeferred concludes the deferred firings that have become possible. It tells whether
// there were any.
func (r *recursion) addDeferred() bool {
	deferred := r.deferred
	r.deferred = nil
	for _, s := range deferred {
		upper := r.possibleWhen(s.firing)
		if !r.reachable(upper) {
			r.deferred = append(r.deferred, s)
			continue
		}
		head := r.fact(s.node, s.head)
		r.estimate(head, upper, r.certainWhen(s.firing))
		r.conclude(head, s.firing)
	}
	return len(r.deferred) < len(deferred)
}

// sweep brings the estimates up to date once, and tells whether any changed.
func (r *recursion) sweep() bool {
	changed := false
	for _, n := range r.nodes {
		for _, f := range n.facts {
			cond, lower := f.cond, f.lower
			for firing := f.first; firing != nil && r.goOn(); firing = firing.next {
				if firing.rows == nil {
					r.estimate(f, r.possibleWhen(firing), r.certainWhen(firing))
				}
			}
			changed = changed || cond != f.cond || lower != f.lower
		}
	}
	return r.findAllHeads() || changed
}

// findAllHeads gives the new heads of all groups, and tells whether it learnt
// anything about heads, old or new.
func (r *recursion) findAllHeads() bool {
	learnt := false
	for i := range r.instances {
		in := &r.instances[i]
		if in.grouping == nil {
			continue
		}
		for _, g := range in.grouping.groups {
			g.fresh = true
		}
		learnt = r.findHeads(in) || learnt
	}
	return learnt
}
