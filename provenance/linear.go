package provenance

import (
	"maps"
	"slices"

	"github.com/lineage-driven/ldfi/solver"
)

// linear is a strongly connected component in which every firing needs at most one of its
// facts: a system of equations x = constant or (factor and y) or (factor and z) or ... Its
// least solution needs no iteration, but elimination of one fact after the other: x does
// not need itself, so the rest of its equation can replace x in all others.
type linear struct {
	scc       *scc
	into      []solver.Lit
	constants []solver.Lit
	factors   []map[int]solver.Lit // by equation, then by the fact it needs
	needed    []map[int]bool       // by fact: the equations that have a factor of the fact
	order     []int                // in which the facts were eliminated
	done      []bool
}

// linear returns the equations of the component, and false if they are not linear.
func (k *scc) linear(r reading) (*linear, bool) {
	if len(k.summed) > 0 {
		return nil, false
	}
	holding, opposing := k.of(r)
	n := len(k.members)
	l := &linear{
		scc: k, into: holding,
		constants: make([]solver.Lit, n),
		factors:   make([]map[int]solver.Lit, n),
		needed:    make([]map[int]bool, n),
		done:      make([]bool, n),
	}
	for i := range n {
		l.factors[i], l.needed[i] = map[int]solver.Lit{}, map[int]bool{}
	}
	for i, v := range k.members {
		for b := range k.bodies[v] {
			if !l.add(i, &k.bodies[v][b], holding, opposing) {
				return nil, false
			}
		}
	}
	return l, true
}

// add adds a firing to an equation; false if it needs two facts of the component.
func (l *linear) add(i int, b *body, holding, opposing []solver.Lit) bool {
	k := l.scc
	cond, needs := b.outside, -1
	if b.group != nil {
		cond = k.circuit.And(cond, b.group.conds[b.head])
	}
	for _, v := range b.positive {
		j, inside := k.place[v]
		switch {
		case !inside:
			cond = k.circuit.And(cond, holding[v])
		case needs < 0 || needs == j:
			needs = j
		default:
			return false
		}
	}
	for _, v := range b.negative {
		cond = k.circuit.And(cond, opposing[v].Not())
	}
	if needs < 0 {
		l.constants[i] = k.circuit.Or(l.constants[i], cond)
	} else {
		l.addFactor(i, needs, cond)
	}
	return true
}

// addFactor adds to the factor of a fact in an equation.
func (l *linear) addFactor(i, j int, cond solver.Lit) {
	if i == j || cond == solver.False {
		return
	}
	l.factors[i][j] = l.scc.circuit.Or(l.factors[i][j], cond)
	l.needed[j][i] = true
}

// solve eliminates all facts, and substitutes the values of the last ones in the ones
// before.
func (l *linear) solve() {
	n := len(l.constants)
	for range n {
		if !l.scc.check() {
			return
		}
		l.eliminate(l.cheapest())
	}
	for at := n - 1; at >= 0; at-- {
		i := l.order[at]
		value := l.constants[i]
		for _, j := range slices.Sorted(maps.Keys(l.factors[i])) {
			value = l.scc.circuit.Or(value, l.scc.circuit.And(l.factors[i][j], l.into[l.scc.members[j]]))
		}
		l.into[l.scc.members[i]] = value
	}
}

// cheapest returns the fact to eliminate next, which makes few new factors.
func (l *linear) cheapest() int {
	best, least := -1, 0
	for i, done := range l.done {
		if done {
			continue
		}
		if cost := len(l.factors[i]) * len(l.needed[i]); best < 0 || cost < least {
			best, least = i, cost
		}
	}
	return best
}

// eliminate replaces a fact by its equation wherever it is needed.
func (l *linear) eliminate(j int) {
	l.done[j] = true
	l.order = append(l.order, j)
	c := l.scc.circuit
	others := slices.Sorted(maps.Keys(l.factors[j]))
	for _, i := range slices.Sorted(maps.Keys(l.needed[j])) {
		factor := l.factors[i][j]
		delete(l.factors[i], j)
		l.constants[i] = c.Or(l.constants[i], c.And(factor, l.constants[j]))
		for _, other := range others {
			if !l.scc.goOn() {
				return
			}
			l.addFactor(i, other, c.And(factor, l.factors[j][other]))
		}
	}
	for _, other := range others {
		delete(l.needed[other], j)
	}
}
