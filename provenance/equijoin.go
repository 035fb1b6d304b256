package provenance

import "github.com/lineage-driven/ldfi/specs"

// equijoin finds the facts of an atom that a comparison such as G == H / 10 leaves, by
// the value of its side that only this atom knows. Without it all pairs of facts are
// looked at.
type equijoin struct {
	known *operand // the side that is known before the atom
	own   *operand // the side that the atom binds

	node      *node
	positions map[specs.Value][]int32 // of the facts of the node, by the value of own
}

// equijoin returns the use of a comparison for matching the atom of a step, nil if there is
// none. known tells which slots are bound before.
func (s *step) equijoin(t *operand, known []bool) *equijoin {
	if t.op != equal || len(s.columns) > 0 {
		return nil
	}
	before := func(o *operand) bool {
		all := true
		o.slots(func(slot int) { all = all && known[slot] })
		return all
	}
	own := func(o *operand) bool {
		some, all := false, true
		o.slots(func(slot int) { some, all = true, all && !known[slot] })
		return some && all
	}
	switch {
	case before(t.left) && own(t.right):
		return &equijoin{known: t.left, own: t.right}
	case before(t.right) && own(t.left):
		return &equijoin{known: t.right, own: t.left}
	}
	return nil
}

// matches returns the positions of the facts of a node that a comparison leaves, in
// their order.
func (e *equijoin) matches(j *join, s *step, n *node) []int32 {
	if e.node != n {
		e.node, e.positions = n, map[specs.Value][]int32{}
		for i, f := range n.facts {
			for _, b := range s.binds {
				j.env[b.slot] = f.tuple[b.column]
			}
			if value, ok := e.own.value(j.ev.graph.values, j.env); ok {
				e.positions[value] = append(e.positions[value], int32(i))
			}
		}
	}
	value, ok := e.known.value(j.ev.graph.values, j.env)
	if !ok {
		return nil
	}
	return e.positions[value]
}
