package provenance

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
)

// alternate finds the well-founded model of a component by the alternating fixpoint: first
// the possible facts, if only certain ones count in negations, then the certain facts, if
// all possible ones count, and so on until nothing changes. A fact that stays possible
// without being certain is undefined.
func (k *scc) alternate() {
	k.set(k.upper, slices.Repeat([]solver.Lit{solver.True}, len(k.members)))
	for _, group := range k.summed {
		k.takeRows(group, certainly)
	}
	for turn := 0; turn <= 2*len(k.members) && k.check(); turn++ {
		certain, possible := k.conds(k.lower), k.conds(k.upper)
		k.set(k.upper, certain)
		k.least(possibly)
		k.simplify(k.upper)
		if !k.exceed(k.conds(k.upper), certain) {
			break
		}
		k.least(certainly)
		k.simplify(k.lower)
		if !k.exceed(k.conds(k.lower), certain) && !k.groupsChange(possible) {
			k.set(k.lower, certain)
			break
		}
	}
	if k.check() {
		k.refuseUndefined()
	}
	k.set(k.upper, k.conds(k.lower))
	for _, group := range k.summed {
		k.settleGroup(group)
	}
}

// simplify gives equal conditions of the members the same literal, as far as possible.
func (k *scc) simplify(conds []solver.Lit) {
	for _, v := range k.members {
		conds[v] = k.canonical(conds[v])
	}
}

// groupsChange tells whether groups may have other rows in the next turn although the same
// facts are certain, because fewer are possible than before.
func (k *scc) groupsChange(possible []solver.Lit) bool {
	return len(k.summed) > 0 && k.exceed(possible, k.conds(k.upper))
}

// refuseUndefined ends the evaluation if some fact is undefined under a
// schedule within the bounds.
func (k *scc) refuseUndefined() {
	var undefined []solver.Lit
	for _, v := range k.members {
		undefined = append(undefined, k.circuit.And(k.upper[v], k.lower[v].Not()))
	}
	some := k.circuit.Ors(undefined...)
	if some == solver.False {
		return
	}
	if r := &k.graph.restriction; r.step != nil {
		r.undefined = append(r.undefined, some)
		return
	}
	if k.tabled {
		place := k.circuit.First(some)
		k.failUndefined(func(l solver.Lit) bool { return k.circuit.Under(l, place) })
		return
	}
	s := solver.NewSolver(k.circuit)
	k.asked += k.ask().price()
	status, err := s.Solve(k.ctx, append(slices.Clone(k.graph.Valid), some)...)
	if err != nil {
		k.fail(err)
	}
	if status != solver.Sat {
		return
	}
	k.failUndefined(s.Value)
}

// failUndefined ends the evaluation because some fact is undefined in a world.
func (k *scc) failUndefined(world func(solver.Lit) bool) {
	k.fail(&limits.UndefinedError{
		Cycle:    k.cycle(world),
		Schedule: k.graph.Universe.Schedule(func(unit int) bool { return world(k.graph.Inputs[unit]) }),
	})
}

// cycle returns facts that are undefined in a world and that each depend on the
// next, the last on the first, through at least one negation or aggregate.
func (k *scc) cycle(world func(solver.Lit) bool) []recording.Fact {
	d := &dependence{scc: k, world: world, next: map[int32][]int32{}}
	for _, v := range k.members {
		if d.undefined(v) {
			d.depend(v)
		}
	}
	for _, edge := range d.against {
		if path := syntax.Path(edge[1], edge[0], func(v int32) []int32 { return d.next[v] }); path != nil {
			facts := make([]recording.Fact, len(path))
			for i, v := range path {
				facts[i] = k.facts[v].Ground()
			}
			return append(facts[len(facts)-1:], facts[:len(facts)-1]...)
		}
	}
	return nil
}

// dependence has the dependences of the undefined facts of one world.
type dependence struct {
	*scc
	world   func(solver.Lit) bool
	next    map[int32][]int32
	against [][2]int32 // the dependencies through a negation or an aggregate
}

func (d *dependence) undefined(v int32) bool { return d.world(d.upper[v]) && !d.world(d.lower[v]) }

// depend adds the dependences of an undefined fact.
func (d *dependence) depend(v int32) {
	for i := range d.bodies[v] {
		b := &d.bodies[v][i]
		if b.group != nil {
			for k := range b.group.rows {
				d.add(v, b.group.rows[k].positive, true)
				d.add(v, b.group.rows[k].negative, true)
			}
			continue
		}
		if d.world(d.holds(b, possibly)) && !d.world(d.holds(b, certainly)) {
			d.add(v, b.positive, false)
			d.add(v, b.negative, true)
		}
	}
}

func (d *dependence) add(v int32, on []int32, against bool) {
	for _, w := range on {
		if !d.undefined(w) {
			continue
		}
		d.next[v] = append(d.next[v], w)
		if against {
			d.against = append(d.against, [2]int32{v, w})
		}
	}
}
