package provenance

import (
	"iter"

	"github.com/lineage-driven/ldfi/internal/syntax"
)

// component is a set of nodes that are evaluated together, because they depend
// on each other.
type component struct {
	nodes     []*node
	recursive bool
}

// newComponent returns the component of some vertices; self tells by vertex whether it
// depends on itself.
func newComponent(members []int32, self []bool, at func(vertex int32) *node) component {
	c := component{recursive: len(members) > 1 || self[members[0]]}
	for _, v := range members {
		c.nodes = append(c.nodes, at(v))
	}
	return c
}

// components yields the nodes of all relations that rules give, each after the nodes that
// it depends on.
func (g *Graph) components() iter.Seq[component] {
	if g.readsLater() {
		return g.throughAllRounds()
	}
	return g.roundByRound()
}

// readsLater tells whether some rule reads a numbered round later than the first, so that
// rounds may depend on later ones.
func (g *Graph) readsLater() bool {
	for _, r := range g.rules {
		for _, atoms := range [][]atom{r.positive, r.negative} {
			for i := range atoms {
				if at := atoms[i].at; at > 1 && at <= g.Bounds.EOT {
					return true
				}
			}
		}
	}
	return false
}

// roundByRound yields the nodes of round 1, then those of round 2, and so on. The order of
// the relations is the same in every round.
func (g *Graph) roundByRound() iter.Seq[component] {
	var e syntax.Edges
	self := make([]bool, len(g.relations))
	for _, r := range g.rules {
		if r.carries() {
			continue
		}
		r.reads(func(a *atom) {
			e.Add(int32(r.head.number), int32(a.relation.number))
			self[r.head.number] = self[r.head.number] || a.relation == r.head
		})
	}
	order := e.Successors(len(g.relations)).Components()
	return func(yield func(component) bool) {
		for t := 1; t <= g.Bounds.EOT; t++ {
			for _, members := range order {
				at := func(number int32) *node { return g.relations[number].nodes[t] }
				if !yield(newComponent(members, self, at)) {
					return
				}
			}
		}
	}
}

// throughAllRounds yields the nodes in an order over all rounds.
func (g *Graph) throughAllRounds() iter.Seq[component] {
	count := len(g.relations)
	number := func(r *relation, round int) int32 { return int32((round-1)*count + r.number) }
	var e syntax.Edges
	self := make([]bool, count*g.Bounds.EOT)
	for t := 1; t <= g.Bounds.EOT; t++ {
		for _, r := range g.rules {
			round := r.fires(t)
			if round < 1 {
				continue
			}
			head := number(r.head, t)
			r.reads(func(a *atom) {
				if read := a.round(round); read <= g.Bounds.EOT {
					body := number(a.relation, read)
					e.Add(head, body)
					self[head] = self[head] || head == body
				}
			})
		}
	}
	order := e.Successors(count * g.Bounds.EOT).Components()
	return func(yield func(component) bool) {
		for _, members := range order {
			at := func(v int32) *node { return g.relations[int(v)%count].nodes[int(v)/count+1] }
			if !yield(newComponent(members, self, at)) {
				return
			}
		}
	}
}

// reads calls visit for each atom of the body.
func (r *rule) reads(visit func(*atom)) {
	for i := range r.positive {
		visit(&r.positive[i])
	}
	for i := range r.negative {
		visit(&r.negative[i])
	}
}
