package solver

import "slices"

// bound is a lower bound on how many units are true in a solution, together with the assumptions
// under which no more than that are.
//
// At first every unit is assumed false. A contradiction names units of which at least one must be
// true: the bound rises by one, and these units are no longer assumed false but counted, and it is
// assumed that no two of them are true; and so on with the counts. (This is the core-guided algorithm
// OLL of Andres, Kaufmann, Matheis and Schaub.) Counters are only built for what contradictions name.
type bound struct {
	circuit *Circuit
	least   int
	assumed []soft // one more true unit for each that does not hold; two may be the same literal
}

// soft is an assumption. If it is about a count, it says that fewer than atLeast of counted are true.
type soft struct {
	lit     Lit
	counted []Lit
	atLeast int
}

func newBound(c *Circuit, units []Lit) *bound {
	b := &bound{circuit: c}
	for _, u := range units {
		b.assumed = append(b.assumed, soft{lit: u.Not()})
	}
	return b
}

// assumptions hold together in exactly those solutions that have b.least true units.
func (b *bound) assumptions() []Lit {
	lits := make([]Lit, len(b.assumed))
	for i, a := range b.assumed {
		lits[i] = a.lit
	}
	return lits
}

// raise raises the bound by one because the assumptions in core contradict each other.
func (b *bound) raise(core []Lit) {
	b.least++
	var counted []Lit
	for _, l := range core {
		i := slices.IndexFunc(b.assumed, func(a soft) bool { return a.lit == l })
		old := b.assumed[i]
		b.assumed = slices.Delete(b.assumed, i, i+1)
		b.assumeFewer(old.counted, old.atLeast+1)
		counted = append(counted, l.Not())
	}
	b.assumeFewer(counted, 2)
}

// assumeFewer assumes that fewer than atLeast of lits are true.
func (b *bound) assumeFewer(lits []Lit, atLeast int) {
	if atLeast <= len(lits) {
		count := b.circuit.Counts(lits, atLeast)
		b.assumed = append(b.assumed, soft{count[atLeast-1].Not(), lits, atLeast})
	}
}
