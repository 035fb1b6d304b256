package ldfi

import (
	"slices"

	"github.com/lineage-driven/ldfi/solver"
)

// batch evaluates the conditions of a view for up to 64 sets of units at a time, each
// in a place of its own: bit i of every word belongs to set i.
type batch struct {
	view   *view
	words  *solver.Words
	number []int    // of the circuit's input of each unit
	inputs []uint64 // of the circuit
	bad    solver.Lit
}

// newBatch evaluates whether a set is a schedule within the bounds under which all
// of some conditions hold.
func newBatch(v *view, target []solver.Lit) *batch {
	c := v.graph.Circuit
	bad := c.Ands(slices.Concat(v.graph.Valid, target)...)
	roots := []solver.Lit{bad}
	for _, g := range v.goals {
		roots = append(roots, g.broken)
	}
	b := &batch{
		view:   v,
		words:  solver.NewWords(c, roots...),
		inputs: make([]uint64, c.Inputs()+1),
		bad:    bad,
	}
	for _, input := range v.graph.Inputs {
		number := c.Inputs() // of nothing
		if input > solver.True {
			_, _, _, number = c.Node(input)
		}
		b.number = append(b.number, number)
	}
	return b
}

// eval returns in which places the set of units is a schedule within the bounds
// that is searched for.
func (b *batch) eval(sets [][]int) uint64 {
	for i, units := range sets {
		b.load(i, units)
	}
	return b.evalLoaded(len(sets))
}

// load puts a set of units in the i-th place, for evalLoaded.
func (b *batch) load(i int, units []int) {
	for _, unit := range units {
		b.inputs[b.number[unit]] |= 1 << i
	}
}

// evalLoaded is eval for the sets in the first n places, which it empties.
func (b *batch) evalLoaded(n int) uint64 {
	b.words.Eval(b.inputs)
	clear(b.inputs)
	return b.words.Value(b.bad) & (1<<n - 1)
}

// under returns the values of literals under the schedule of some units.
func (b *batch) under(units []int) func(solver.Lit) bool {
	b.eval([][]int{units})
	return func(l solver.Lit) bool { return b.words.Value(l)&1 == 1 }
}
