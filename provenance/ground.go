package provenance

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/solver"
)

// grounding is a component in terms of its facts and their dependences. Its vertices are
// the facts whose conditions are to be found, and then the groups of aggregating rules.
type grounding struct {
	*recursion
	facts  []*Fact
	bodies [][]body // by fact: the firings that give it
	groups []*groundGroup
	edges  syntax.Edges

	lower, upper []solver.Lit // by fact: when it certainly holds, and when it possibly does
}

// body is a firing in terms of the vertices.
type body struct {
	firing   *Firing
	outside  solver.Lit // the part that does not depend on the component
	positive []int32    // facts that have to hold
	negative []int32    // facts that must not
	group    *groundGroup
	head     int // which of the group's heads it needs
}

// groundGroup is a group of an aggregating rule in terms of the vertices.
type groundGroup struct {
	*group
	rows  []body
	spans []span       // by row: when it is certain and when it is possible
	conds []solver.Lit // by outcome
}

// ground lists the facts of a recursion and their dependences.
func ground(r *recursion) *grounding {
	g := &grounding{recursion: r}
	for _, n := range r.nodes {
		for _, f := range n.facts {
			if !f.fixed {
				f.vertex = int32(len(g.facts))
				g.facts = append(g.facts, f)
			}
		}
	}
	g.bodies = make([][]body, len(g.facts))
	g.lower = make([]solver.Lit, len(g.facts))
	g.upper = make([]solver.Lit, len(g.facts))
	byRows := g.addGroups()
	for v, f := range g.facts {
		for firing := f.first; firing != nil && g.goOn(); firing = firing.next {
			if firing.rows == nil {
				b := g.body(firing)
				g.depend(int32(v), &b)
				g.bodies[v] = append(g.bodies[v], b)
				continue
			}
			at := byRows[firing]
			g.edges.Add(int32(v), at.vertex)
			g.bodies[v] = append(g.bodies[v], body{firing: firing, outside: firing.cond, group: at.group, head: at.head})
		}
	}
	return g
}

// headOfGroup is where a firing of an aggregating rule comes from.
type headOfGroup struct {
	group  *groundGroup
	vertex int32
	head   int
}

// addGroups lists the groups and returns, by firing, the head of the group from which it
// comes.
func (g *grounding) addGroups() map[*Firing]headOfGroup {
	from := map[*Firing]headOfGroup{}
	for i := range g.instances {
		if g.instances[i].grouping == nil {
			continue
		}
		for _, group := range g.instances[i].grouping.groups {
			made := &groundGroup{group: group, conds: make([]solver.Lit, len(group.outcomes))}
			vertex := int32(len(g.facts) + len(g.groups))
			g.groups = append(g.groups, made)
			for _, row := range group.rows {
				b := g.body(row)
				g.depend(vertex, &b)
				made.rows = append(made.rows, b)
			}
			made.spans = make([]span, len(made.rows))
			for k, o := range group.outcomes {
				from[o.firing] = headOfGroup{made, vertex, k}
			}
		}
	}
	return from
}

// body returns a firing in terms of the vertices.
func (g *grounding) body(f *Firing) body {
	b := body{firing: f, outside: f.cond}
	for _, fact := range f.positive {
		if !fact.fixed {
			b.positive = append(b.positive, fact.vertex)
		}
	}
	for i := range f.rule.negative {
		a := &f.rule.negative[i]
		n := a.node(int(f.round))
		if n == nil || !g.open(n) {
			continue
		}
		s := &f.rule.lookups[i]
		s.compute(g.graph.values, f.env)
		n.each(a, s, func(fact *Fact) bool {
			if fact.fixed {
				b.outside = g.circuit.And(b.outside, fact.cond.Not())
			} else {
				b.negative = append(b.negative, fact.vertex)
			}
			return g.goOn()
		})
	}
	return b
}

// depend adds the edges of a body.
func (g *grounding) depend(v int32, b *body) {
	for _, w := range b.positive {
		g.edges.Add(v, w)
	}
	for _, w := range b.negative {
		g.edges.Add(v, w)
	}
}

// solve finds the conditions of all facts, one strongly connected component of the vertices
// after the other, and then the conditions of the firings.
func (g *grounding) solve() {
	successors := g.edges.Successors(len(g.facts) + len(g.groups))
	for _, members := range successors.Components() {
		if !g.check() {
			return
		}
		v := members[0]
		if len(members) == 1 && !slices.Contains(successors.Of(v), v) {
			g.settleOne(v)
			continue
		}
		k := g.scc(members)
		if k.deep {
			k.alternate()
		} else {
			k.least(possibly)
			k.set(k.lower, k.conds(k.upper))
		}
	}
	g.finish()
}

// settleOne finds the condition of a vertex that does not depend on itself.
func (g *grounding) settleOne(v int32) {
	if int(v) >= len(g.facts) {
		g.settleGroup(g.groups[int(v)-len(g.facts)])
		return
	}
	g.upper[v] = g.supported(v, possibly)
	g.lower[v] = g.upper[v]
}

// finish gives the facts and firings their conditions.
func (g *grounding) finish() {
	for v, f := range g.facts {
		f.cond, f.fixed = g.lower[v], true
		for i := range g.bodies[v] {
			b := &g.bodies[v][i]
			b.firing.cond = g.holds(b, certainly)
		}
	}
	for _, group := range g.groups {
		for i := range group.rows {
			group.rows[i].firing.cond = g.holds(&group.rows[i], certainly)
		}
	}
}
