package lockstep

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/limits"
)

// The most turns that a recursion which makes new values may take: within a
// round of positive rules, and where it goes through a negation or an aggregate.
const (
	maxTurns     = 10_000
	maxDeepTurns = 200
)

// compute evaluates a component, whose tables have the facts that the program states.
func (m *Machine) compute(c *component) bool {
	if m.counting && !m.numberAll(c) {
		return false
	}
	for _, in := range c.first {
		if !m.evaluate(in) {
			return false
		}
	}
	switch {
	case len(c.recursive) == 0:
		return true
	case c.deep:
		return m.alternate(c)
	default:
		return m.fixpoint(c, nil)
	}
}

// fixpoint adds to the tables of a component the facts that follow by its recursive
// instances, until there are no new ones. It is semi-naive: each turn evaluates only
// bindings that have a row of the turn before. It calls aggregate for aggregating
// instances, again whenever one of their tables has grown.
func (m *Machine) fixpoint(c *component, aggregate func(in *instance) bool) bool {
	for _, n := range c.nodes {
		m.until[n] = 0
	}
	for turn := 1; ; turn++ {
		if grown := m.advance(c); turn > 1 && !grown {
			return true
		}
		var maker *instance
		for _, in := range c.recursive {
			facts := m.facts
			if !m.turn(in, turn == 1, aggregate) {
				return false
			}
			if m.facts > facts && in.makes && (maker == nil || in.index < maker.index) {
				maker = in
			}
		}
		if c.growing && maker != nil && turn >= c.turns() {
			m.err = &limits.RunawayError{Relation: maker.source.Head.Relation, Position: maker.source.Position, Turns: turn}
			return false
		}
	}
}

// turns limits the turns of a recursion that makes new values.
func (c *component) turns() int {
	if c.deep {
		return maxDeepTurns
	}
	return maxTurns
}

// advance makes the rows since the last turn the new ones, and tells whether there are any.
func (m *Machine) advance(c *component) bool {
	grown := false
	for _, n := range c.nodes {
		m.since[n], m.until[n] = m.until[n], m.pos[n].n
		grown = grown || m.since[n] < m.until[n]
	}
	return grown
}

// turn runs an instance for the new rows.
func (m *Machine) turn(in *instance, first bool, aggregate func(*instance) bool) bool {
	if in.aggregates() {
		grown := slices.ContainsFunc(in.inner, func(i int) bool { return m.since[in.nodes[i]] < m.until[in.nodes[i]] })
		return !first && !grown || aggregate(in)
	}
	if len(in.inner) == 0 {
		return !first || m.evaluate(in)
	}
	for _, i := range in.inner {
		if m.narrow(in, i) && !m.start(in, in.from[i]) {
			return false
		}
	}
	return m.tick()
}

// narrow sets the rows that the atoms of an instance read: the new rows for the given atom,
// the old rows for atoms of the recursion before it, both for those after it. It returns
// false if an atom reads no rows.
func (m *Machine) narrow(in *instance, fresh int) bool {
	for i, a := range in.atoms {
		if a.negated {
			continue
		}
		node := in.nodes[i]
		m.lo[i], m.hi[i] = 0, m.pos[node].n
		if slices.Contains(in.inner, i) {
			m.hi[i] = m.until[node]
			if i == fresh {
				m.lo[i] = m.since[node]
			} else if i < fresh {
				m.hi[i] = m.since[node]
			}
		}
		if m.lo[i] == m.hi[i] {
			return false
		}
	}
	return true
}
