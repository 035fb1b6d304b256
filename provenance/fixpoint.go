package provenance

import (
	"slices"

	"github.com/lineage-driven/ldfi/solver"
)

// reading selects one of the two conditions of a fact: that it is possible or that it is
// certain. For negated facts the other one is read, so a certain firing needs facts to be
// not even possible.
type reading bool

const (
	possibly  reading = false
	certainly reading = true
)

// of returns the conditions of facts for holding and for not being excluded
// from being absent.
func (g *grounding) of(r reading) (holding, opposing []solver.Lit) {
	if r == certainly {
		return g.lower, g.upper
	}
	return g.upper, g.lower
}

// holds returns the condition under which a body holds, by the present conditions of the
// facts.
func (g *grounding) holds(b *body, r reading) solver.Lit {
	holding, opposing := g.of(r)
	cond := b.outside
	if b.group != nil {
		return g.circuit.And(cond, b.group.conds[b.head])
	}
	for _, v := range b.positive {
		cond = g.circuit.And(cond, holding[v])
	}
	for _, v := range b.negative {
		cond = g.circuit.And(cond, opposing[v].Not())
	}
	return cond
}

// supported returns the condition under which one of a fact's firings holds.
func (g *grounding) supported(v int32, r reading) solver.Lit {
	lits := g.lits[:0]
	for i := range g.bodies[v] {
		lits = append(lits, g.holds(&g.bodies[v][i], r))
	}
	g.lits = lits
	return g.circuit.Ors(lits...)
}

// summariseGroup finds when a group has each head. It takes the reading r of its rows by
// the present conditions, and the other reading as it was when it was last taken.
func (g *grounding) summariseGroup(group *groundGroup, r reading) {
	g.takeRows(group, r)
	g.conclude(group, group.spans, r == certainly)
}

// takeRows takes one reading of a group's rows.
func (g *grounding) takeRows(group *groundGroup, r reading) {
	for i := range group.rows {
		if cond := g.holds(&group.rows[i], r); r == certainly {
			group.spans[i].lower = cond
		} else {
			group.spans[i].upper = cond
		}
	}
}

// settleGroup finds the heads of a group whose rows have known conditions.
func (g *grounding) settleGroup(group *groundGroup) {
	g.takeRows(group, certainly)
	for i := range group.spans {
		group.spans[i].upper = group.spans[i].lower
	}
	g.conclude(group, group.spans, false)
}

// conclude finds when a group has each head, by the estimates of its rows.
func (g *grounding) conclude(group *groundGroup, rows []span, certain bool) {
	conds := map[string]solver.Lit{}
	for _, h := range g.heads(group.group, rows, certain) {
		conds[text(h.tuple)] = h.cond
	}
	for i, o := range group.outcomes {
		group.conds[i] = conds[text(o.head)]
	}
}

// text returns a tuple as a key of a map.
func text(tuple []uint32) string {
	key := make([]byte, 0, 4*len(tuple))
	for _, id := range tuple {
		key = append(key, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
	}
	return string(key)
}

// scc is a strongly connected component of a grounding.
type scc struct {
	*grounding
	members []int32       // facts
	place   map[int32]int // in members
	summed  []*groundGroup
	deep    bool // it goes through a negation or an aggregate
}

func (g *grounding) scc(members []int32) *scc {
	k := &scc{grounding: g, place: make(map[int32]int, len(members))}
	slices.Sort(members)
	for _, v := range members {
		if int(v) >= len(g.facts) {
			k.summed = append(k.summed, g.groups[int(v)-len(g.facts)])
			k.deep = true
		} else {
			k.place[v] = len(k.members)
			k.members = append(k.members, v)
		}
	}
	for _, v := range k.members {
		for i := range g.bodies[v] {
			for _, w := range g.bodies[v][i].negative {
				_, inside := k.place[w]
				k.deep = k.deep || inside
			}
		}
	}
	return k
}

// least finds the least conditions that satisfy all firings, with the negated facts
// unchanged.
func (k *scc) least(r reading) {
	if l, ok := k.linear(r); ok {
		l.solve()
		return
	}
	k.iterate(r)
}

// iterate finds the least conditions upwards from the present ones. One more turn than
// there are facts is always enough, because no derivation is higher; it ends earlier when
// nothing changes.
func (k *scc) iterate(r reading) {
	holding, _ := k.of(r)
	for turn := 0; turn <= len(k.members) && k.check(); turn++ {
		before := k.conds(holding)
		for _, group := range k.summed {
			k.summariseGroup(group, r)
		}
		for _, v := range k.members {
			holding[v] = k.supported(v, r)
			if k.deep {
				holding[v] = k.canonical(holding[v])
			}
			if !k.goOn() {
				return
			}
		}
		if k.same(k.conds(holding), before) {
			k.set(holding, before)
			return
		}
	}
}

// For components of few facts a solver checks whether a turn changed anything. For more
// facts that can be hard, and it is better to take all turns, unless they are too many.
const (
	fewFacts  = 30
	manySteps = 1_000_000
)

// same tells whether conditions are known to be the same as those of the turn
// before, which imply them.
func (k *scc) same(conds, before []solver.Lit) bool {
	if slices.Equal(conds, before) {
		return true
	}
	steps := 0
	for _, v := range k.members {
		steps += len(k.members) * len(k.bodies[v])
	}
	if len(k.members) > fewFacts && steps < manySteps {
		return false
	}
	return !k.exceed(conds, before)
}

// conds returns the members' conditions.
func (k *scc) conds(of []solver.Lit) []solver.Lit {
	conds := make([]solver.Lit, len(k.members))
	for i, v := range k.members {
		conds[i] = of[v]
	}
	return conds
}

// set changes the members' conditions.
func (k *scc) set(of, conds []solver.Lit) {
	for i, v := range k.members {
		of[v] = conds[i]
	}
}
