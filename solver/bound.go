package solver

import (
	"math"
	"slices"
)

// bound is a lower bound on the cost of a solution, which is that of all its true units
// together, with assumptions under which a solution costs no more. If all units cost one,
// the cost is the number of true units.
//
// At first every unit is assumed false. A contradiction names units of which at least one
// must be true: the bound rises by the cost of the cheapest one, and all of them are
// assumed false only for the rest of their costs. They are counted, and it is assumed that
// no two of them are true; and so on with the counts. (This is the core-guided algorithm
// OLL of Andres, Kaufmann, Matheis and Schaub.) Counters are only built for units in
// contradictions.
type bound struct {
	circuit *Circuit
	costs   []int // by unit
	even    bool  // all units cost the same
	least   int
	assumed []soft // two may have the same literal
}

// soft is an assumption with a cost, which is due if the assumption does not hold. For a
// count, the assumption is that fewer than atLeast of counted are true.
type soft struct {
	lit     Lit
	cost    int
	counted []Lit
	atLeast int
}

// newBound begins with the costs of some units; nil: one for each.
func newBound(c *Circuit, units []Lit, costs []int) *bound {
	b := &bound{circuit: c, costs: costs}
	if b.costs == nil {
		b.costs = slices.Repeat([]int{1}, len(units))
	}
	b.even = len(units) == 0 || slices.Min(b.costs) == slices.Max(b.costs)
	for i, u := range units {
		b.assumed = append(b.assumed, soft{lit: u.Not(), cost: b.costs[i]})
	}
	return b
}

// of returns the cost of some units.
func (b *bound) of(units []int) (cost int) {
	for _, i := range units {
		cost += b.costs[i]
	}
	return cost
}

// assumptions hold together in exactly those solutions that cost b.least.
func (b *bound) assumptions() []Lit {
	lits := make([]Lit, len(b.assumed))
	for i, a := range b.assumed {
		lits[i] = a.lit
	}
	return lits
}

// raise raises the bound because the assumptions in core contradict each other.
func (b *bound) raise(core []Lit) {
	var blamed []int
	for _, l := range core {
		blamed = append(blamed, slices.IndexFunc(b.assumed, func(a soft) bool { return a.lit == l }))
	}
	cost := math.MaxInt
	for _, i := range blamed {
		cost = min(cost, b.assumed[i].cost)
	}
	if len(core) == 0 {
		cost = 1 // nothing can hold: the next question says so
	}
	b.least += cost
	var counted []Lit
	for _, i := range blamed {
		old := &b.assumed[i]
		old.cost -= cost
		counted = append(counted, old.lit.Not())
		b.assumeFewer(old.counted, old.atLeast+1, cost)
	}
	b.assumed = slices.DeleteFunc(b.assumed, func(a soft) bool { return a.cost == 0 })
	b.assumeFewer(counted, 2, cost)
}

// assumeFewer assumes that fewer than atLeast of lits are true.
func (b *bound) assumeFewer(lits []Lit, atLeast, cost int) {
	if atLeast <= len(lits) {
		count := b.circuit.Counts(lits, atLeast)
		b.assumed = append(b.assumed, soft{count[atLeast-1].Not(), cost, lits, atLeast})
	}
}
