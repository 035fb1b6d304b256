package provenance

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/solver"
)

// recursion evaluates a component whose facts may depend on each other. First it finds all
// possible facts and their firings, as if each fact of the component could be both present
// and absent; then it finds their conditions.
type recursion struct {
	*evaluation
	component
	instances []instance
	deep      bool // it goes through a negation or an aggregate
	growing   bool // it makes new values
	endless   bool // in a Step: it goes on making them
}

// instance is a rule in the round in which it fires.
type instance struct {
	rule     *rule
	round    int
	inner    []int // the positive atoms that read the component
	deep     bool  // it aggregates, or a negated atom reads the component
	makes    bool  // it can make new values
	grouping *grouping
}

// The most turns of a recursion that makes new values: one of positive rules, and one
// through a negation or an aggregate.
const (
	maxTurns     = 10_000
	maxDeepTurns = 200
)

// recursion evaluates a recursive component.
func (ev *evaluation) recursion(c component) {
	ev.current++
	ev.enter()
	defer ev.leave()
	for _, n := range c.nodes {
		n.component = ev.current
		n.old, n.delta = 0, 0
	}
	r := &recursion{evaluation: ev, component: c}
	r.instantiate()
	r.findFacts()
	switch {
	case r.endless:
		r.forgo()
	case ev.check():
		ground(r).solve()
	}
	for _, n := range c.nodes {
		n.component = 0
		n.keep(func(f *Fact) bool { return f.cond != solver.False })
	}
}

// instantiate lists the rules that give the component's facts.
func (r *recursion) instantiate() {
	for _, n := range r.nodes {
		for _, rule := range n.relation.rules {
			round := rule.fires(n.round)
			if round < 1 {
				continue
			}
			in := r.instance(rule, round)
			r.instances = append(r.instances, in)
			r.deep = r.deep || in.deep
			r.growing = r.growing || in.makes && in.recursive()
		}
	}
}

func (r *recursion) instance(rule *rule, round int) instance {
	in := instance{rule: rule, round: round, makes: rule.makesValues()}
	for i := range rule.positive {
		if n := rule.positive[i].node(round); n != nil && r.open(n) {
			in.inner = append(in.inner, i)
		}
	}
	for i := range rule.negative {
		n := rule.negative[i].node(round)
		in.deep = in.deep || n != nil && r.open(n)
	}
	if rule.aggregates != nil {
		in.grouping = newGrouping(rule, round)
		in.deep = in.deep || len(in.inner) > 0
	}
	return in
}

// recursive tells whether the instance reads the component.
func (in *instance) recursive() bool { return len(in.inner) > 0 || in.deep }

// makesValues tells whether a rule can make values that were not there.
func (r *rule) makesValues() bool {
	return r.aggregates != nil || slices.ContainsFunc(r.columns, func(o operand) bool { return o.op != leaf })
}

// findFacts finds the facts, semi-naively: each turn looks at the bindings only
// that have a fact of the turn before.
func (r *recursion) findFacts() {
	r.estimating, r.onlyCertain, r.careful = r.growing, r.growing && r.deep, false
	r.narrow = r.onlyCertain && !r.tabled
	defer func() { r.estimating, r.onlyCertain, r.narrow, r.deferred = false, false, false, nil }()
	for i := range r.instances {
		if in := &r.instances[i]; len(in.inner) == 0 {
			r.join.run(in.rule, in.round, -1, in.grouping)
			r.findHeads(in)
		}
	}
	for turn := 1; r.advance() && r.check(); turn++ {
		var maker *instance
		r.careful = turn > manyTurns
		for i := range r.instances {
			in := &r.instances[i]
			before := r.facts
			r.turn(in)
			if r.facts > before && in.makes && (maker == nil || in.rule.source.Index < maker.rule.source.Index) {
				maker = in
			}
		}
		if r.growing && maker != nil && turn >= r.turns() {
			if r.graph.restriction.step != nil {
				r.endless = true
				return
			}
			r.fail(&limits.RunawayError{Relation: maker.rule.source.Head.Relation, Position: maker.rule.source.Position, Turns: turn})
		}
	}
}

// forgo leaves out the facts of a recursion of a Step that makes facts without end: whatever begins
// one is undefined, which is another question than that for what is reached.
func (r *recursion) forgo() {
	inside := map[*Fact]bool{}
	for _, n := range r.nodes {
		for _, f := range n.facts {
			inside[f] = true
		}
	}
	for _, n := range r.nodes {
		for _, f := range n.facts {
			for by := f.first; by != nil; by = by.next {
				if slices.ContainsFunc(by.positive, func(p *Fact) bool { return inside[p] }) {
					continue
				}
				begins := solver.True
				for _, p := range by.positive {
					begins = r.circuit.And(begins, p.cond)
				}
				r.graph.restriction.undefined = append(r.graph.restriction.undefined, begins)
			}
		}
		n.keep(func(*Fact) bool { return false })
	}
}

// turns limits the turns of a recursion that makes new values.
func (r *recursion) turns() int {
	if r.deep {
		return maxDeepTurns
	}
	return maxTurns
}

// advance makes the facts since the last turn the new ones, and tells whether there are
// any.
func (r *recursion) advance() bool {
	if !r.grown() {
		r.resume()
	}
	grown := r.grown()
	for _, n := range r.nodes {
		n.old, n.delta = n.delta, len(n.facts)
	}
	return grown
}

// grown tells whether there are facts that no turn has looked at.
func (r *recursion) grown() bool {
	return slices.ContainsFunc(r.nodes, func(n *node) bool { return n.delta < len(n.facts) })
}

// turn evaluates an instance with the new facts.
func (r *recursion) turn(in *instance) {
	for _, atom := range in.inner {
		if n := in.rule.positive[atom].node(in.round); n.old < n.delta {
			r.join.run(in.rule, in.round, atom, in.grouping)
		}
	}
	r.findHeads(in)
}

// findHeads gives the new heads of the groups that have new rows. It tells
// whether it learnt anything about heads, old or new.
func (r *recursion) findHeads(in *instance) bool {
	if in.grouping == nil || r.onlyCertain && in.recursive() {
		return false
	}
	learnt := false
	for _, g := range in.grouping.groups {
		if !g.fresh || !r.check() {
			continue
		}
		g.fresh = false
		for _, h := range r.heads(g, r.estimates(g), false) {
			learnt = r.findHead(in, g, h) || learnt
		}
	}
	return learnt
}

// findHead gives a head of a group, unless it is known already, and adds to its
// estimate.
func (r *recursion) findHead(in *instance, g *group, h head) bool {
	key, upper, lower := text(h.tuple), h.cond, solver.False
	f, known := g.known[key]
	if !known {
		if !r.reachable(upper) {
			return false
		}
		h.cond = solver.True
		if o := r.outcome(g, h); o != nil {
			g.outcomes = append(g.outcomes, o)
			f = o.fact
			if !in.recursive() { // all rows are known
				lower = r.circuit.And(upper, o.firing.cond)
			}
		}
		g.known[key] = f
	}
	if f == nil || !r.estimating {
		return !known
	}
	before := f.cond
	r.estimate(f, upper, lower)
	return f.cond != before
}

// estimates returns the estimates of a group's rows before the conditions of the component
// are known.
func (r *recursion) estimates(g *group) []span {
	spans := make([]span, len(g.rows))
	for i, row := range g.rows {
		spans[i] = span{r.certainWhen(row), r.possibleWhen(row)}
	}
	return spans
}
