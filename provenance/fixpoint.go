package provenance

import "github.com/lineage-driven/ldfi/solver"

// reading says which of its two conditions is meant when something is said to
// hold: that of being possible or that of being certain. What must not hold is
// read the other way, so that what is certain needs what is not even possible
// to be absent.
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

// holds returns when a body holds, by the present conditions of the facts.
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

// supported returns when one of a fact's firings holds.
func (g *grounding) supported(v int32, r reading) solver.Lit {
	lits := g.lits[:0]
	for i := range g.bodies[v] {
		lits = append(lits, g.holds(&g.bodies[v][i], r))
	}
	g.lits = lits
	return g.circuit.Ors(lits...)
}

// summariseGroup finds when a group has which heads.
func (g *grounding) summariseGroup(group *groundGroup, r reading) {
	spans := make([]span, len(group.rows))
	for i := range group.rows {
		spans[i] = span{g.holds(&group.rows[i], certainly), g.holds(&group.rows[i], possibly)}
	}
	conds := map[string]solver.Lit{}
	for _, h := range g.heads(group.group, spans, r == certainly) {
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

// knot is a strongly connected component of a grounding.
type knot struct {
	*grounding
	members []int32 // facts
	summed  []*groundGroup
	deep    bool // it goes through a negation or an aggregate
}

func (g *grounding) knot(members []int32) *knot {
	k := &knot{grounding: g}
	inside := make(map[int32]bool, len(members))
	for _, v := range members {
		inside[v] = true
		if int(v) >= len(g.facts) {
			k.summed = append(k.summed, g.groups[int(v)-len(g.facts)])
			k.deep = true
		} else {
			k.members = append(k.members, v)
		}
	}
	for _, v := range k.members {
		for i := range g.bodies[v] {
			for _, w := range g.bodies[v][i].negative {
				k.deep = k.deep || inside[w]
			}
		}
	}
	return k
}

// least finds the least conditions that satisfy all firings, upwards from the
// present ones, with what they exclude as it is. One more turn than there are
// facts is always enough, for no derivation need be higher; it ends earlier
// when nothing changes.
func (k *knot) least(r reading) {
	holding, _ := k.of(r)
	for turn := 0; turn <= len(k.members) && k.check(); turn++ {
		changed := false
		for _, group := range k.summed {
			k.summariseGroup(group, r)
		}
		for _, v := range k.members {
			cond := k.supported(v, r)
			if cond != holding[v] && (holding[v] == solver.False || !k.implies(cond, holding[v])) {
				holding[v] = cond
				changed = true
			}
			if !k.goOn() {
				return
			}
		}
		if !changed {
			return
		}
	}
}

// copyUpper makes what is possible certain.
func (k *knot) copyUpper() {
	for _, v := range k.members {
		k.lower[v] = k.upper[v]
	}
}
