package solver

import (
	"fmt"
	"slices"
)

// Lit is a boolean function in a Circuit: a constant, an input or a gate, plain or negated.
type Lit uint32

// The two constants, the same in every circuit.
const (
	False Lit = 0
	True  Lit = 1
)

// Not is the negation of l.
func (l Lit) Not() Lit { return l ^ 1 }

// node is the index of l in Circuit.nodes, negated says whether l is its negation.
func (l Lit) node() uint32  { return uint32(l >> 1) }
func (l Lit) negated() bool { return l&1 != 0 }

// LimitError reports a circuit that needs more gates than its limit.
type LimitError struct {
	Gates int // the limit
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("building the circuit: more than %d gates are needed", e.Gates)
}

// Circuit is a growing set of boolean functions over numbered inputs, made of AND gates
// with negation for free. Equal gates are made only once, so equal literals are the same
// function, and building a function again costs a table lookup.
//
// A circuit is not safe for use by several goroutines at once while it grows.
type Circuit struct {
	nodes    []gate
	inputs   []Lit
	table    []uint32 // open addressing: indices into nodes, 0 is free
	shift    uint     // 64 - log2(len(table))
	maxGates int
	err      error
	scratch  []Lit
	tables   *truthTables // of the nodes; nil if the inputs may have any values
}

// gate is one node: the AND of a and b, where a < b. An input has a == isInput and its number in b.
type gate struct{ a, b Lit }

const isInput = ^Lit(0)

// maxNodes is where literals would no longer fit.
const maxNodes = 1<<31 - 1

// NewCircuit is an empty circuit that may grow to maxGates gates; 0 means as many as fit.
func NewCircuit(maxGates int) *Circuit {
	if maxGates <= 0 || maxGates > maxNodes {
		maxGates = maxNodes
	}
	c := &Circuit{maxGates: maxGates, nodes: make([]gate, 1, 1024)}
	c.resize(11)
	return c
}

// Err is a *LimitError once a gate was refused for the limit's sake. From then on new gates read as
// False: nothing that is built afterwards means anything, so check Err before using a result.
func (c *Circuit) Err() error { return c.err }

// Gates is the number of AND gates made so far.
func (c *Circuit) Gates() int { return len(c.nodes) - 1 - len(c.inputs) }

// Bytes returns the memory of the circuit in bytes.
func (c *Circuit) Bytes() int64 {
	bytes := 8*int64(cap(c.nodes)) + 4*int64(cap(c.table))
	if t := c.tables; t != nil {
		bytes += 8*int64(t.words)*int64(t.perBlock)*int64(len(t.blocks)) + 4*int64(cap(t.buckets))
	}
	return bytes
}

// Inputs is the number of inputs made so far.
func (c *Circuit) Inputs() int { return len(c.inputs) }

// Input makes a new input, which no tabled circuit has. Inputs are numbered from 0 in the order in
// which they are made.
func (c *Circuit) Input() Lit {
	if c.tables != nil {
		panic("solver: an input of a tabled circuit comes from InputTable")
	}
	if len(c.nodes) >= maxNodes {
		c.err = &LimitError{Gates: c.maxGates}
		return False
	}
	l := Lit(len(c.nodes)) << 1
	c.nodes = append(c.nodes, gate{isInput, Lit(len(c.inputs))})
	c.inputs = append(c.inputs, l)
	return l
}

// Node returns the parts of l, whatever its sign: for an input its number, for a gate the
// two literals whose AND it is. For a constant both literals are False.
func (c *Circuit) Node(l Lit) (a, b Lit, input bool, number int) {
	g := c.nodes[l.node()]
	if g.a == isInput {
		return False, False, true, int(g.b)
	}
	return g.a, g.b, false, 0
}

// And is true when both a and b are.
func (c *Circuit) And(a, b Lit) Lit {
	if a > b {
		a, b = b, a
	}
	if a <= True {
		if a == False {
			return False
		}
		return b
	}
	if a^b <= 1 {
		if a == b {
			return a
		}
		return False
	}
	if c.tables != nil {
		return c.tabled(a, b)
	}
	ga, gb := c.nodes[a>>1], c.nodes[b>>1]
	if ga.a != isInput || gb.a != isInput {
		if l, ok := c.simplify(a, b, ga, gb); ok {
			return l
		}
	}
	return c.hashed(a, b)
}

// Or is true when a or b is.
func (c *Circuit) Or(a, b Lit) Lit { return c.And(a.Not(), b.Not()).Not() }

// Ite is then where test is true, and otherwise els.
func (c *Circuit) Ite(test, then, els Lit) Lit {
	if then == els {
		return then
	}
	return c.Or(c.And(test, then), c.And(test.Not(), els))
}

// simplify finds an existing literal or a smaller AND for the AND of a and b, looking one
// gate deep into either. Its rules are those of Brummayer and Biere, "Local two-level
// And-Inverter Graph minimization without blowup", except those that share no gate.
func (c *Circuit) simplify(a, b Lit, ga, gb gate) (Lit, bool) {
	if ga.a == isInput {
		return c.simplifyOne(b, a, gb)
	}
	if gb.a == isInput {
		return c.simplifyOne(a, b, ga)
	}
	if l, ok := c.simplifyOne(b, a, gb); ok {
		return l, true
	}
	if l, ok := c.simplifyOne(a, b, ga); ok {
		return l, true
	}
	switch {
	case !a.negated() && !b.negated():
		if ga.clashes(gb) {
			return False, true
		}
	case a.negated() && b.negated():
		return resolve(ga, gb)
	case a.negated():
		return c.simplifyMixed(b, gb, ga)
	default:
		return c.simplifyMixed(a, ga, gb)
	}
	return False, false
}

// simplifyOne simplifies g AND z, where g is the literal of gate gg and z anything.
func (c *Circuit) simplifyOne(g, z Lit, gg gate) (Lit, bool) {
	if !g.negated() {
		switch {
		case z == gg.a || z == gg.b: // (x y) x = x y
			return g, true
		case z^1 == gg.a || z^1 == gg.b: // (x y) !x = 0
			return False, true
		}
		return False, false
	}
	switch z {
	case gg.a ^ 1, gg.b ^ 1: // !(x y) !x = !x
		return z, true
	case gg.a: // !(x y) x = x !y
		return c.And(z, gg.b^1), true
	case gg.b:
		return c.And(z, gg.a^1), true
	}
	return False, false
}

// clashes says that g and h want a literal and its negation.
func (g gate) clashes(h gate) bool {
	return g.a^1 == h.a || g.a^1 == h.b || g.b^1 == h.a || g.b^1 == h.b
}

// simplifyMixed simplifies p AND NOT n for two gates p and n.
func (c *Circuit) simplifyMixed(p Lit, gp, gn gate) (Lit, bool) {
	if gp.clashes(gn) { // (x y) !(!x z) = x y
		return p, true
	}
	if gn.a == gp.a || gn.a == gp.b { // (x y) !(x z) = (x y) !z
		return c.And(p, gn.b^1), true
	}
	if gn.b == gp.a || gn.b == gp.b {
		return c.And(p, gn.a^1), true
	}
	return False, false
}

// resolve simplifies NOT g AND NOT h: !(x y) !(x !y) = !x.
func resolve(g, h gate) (Lit, bool) {
	switch {
	case g.a == h.a && g.b^1 == h.b, g.a == h.b && g.b^1 == h.a:
		return g.a ^ 1, true
	case g.b == h.a && g.a^1 == h.b, g.b == h.b && g.a^1 == h.a:
		return g.b ^ 1, true
	}
	return False, false
}

// hashed finds or makes the gate of exactly a and b, a < b.
func (c *Circuit) hashed(a, b Lit) Lit {
	mask := uint64(len(c.table) - 1)
	i := c.slot(a, b)
	for {
		n := c.table[i]
		if n == 0 {
			break
		}
		if g := c.nodes[n]; g.a == a && g.b == b {
			return Lit(n) << 1
		}
		i = (i + 1) & mask
	}
	if c.Gates() >= c.maxGates || len(c.nodes) >= maxNodes {
		c.err = &LimitError{Gates: c.maxGates}
		return False
	}
	n := uint32(len(c.nodes))
	c.nodes = append(c.nodes, gate{a, b})
	c.table[i] = n
	if 2*len(c.nodes) > len(c.table) {
		c.resize(64 - c.shift + 1)
	}
	return Lit(n) << 1
}

func (c *Circuit) slot(a, b Lit) uint64 {
	return (uint64(a)<<32 | uint64(b)) * 0x9E3779B97F4A7C15 >> c.shift
}

// resize gives the table 2^log slots.
func (c *Circuit) resize(log uint) {
	c.table, c.shift = make([]uint32, 1<<log), 64-log
	mask := uint64(len(c.table) - 1)
	for n, g := range c.nodes {
		if n == 0 || g.a == isInput {
			continue
		}
		i := c.slot(g.a, g.b)
		for c.table[i] != 0 {
			i = (i + 1) & mask
		}
		c.table[i] = uint32(n)
	}
}

// Ands is true when all of lits are; the AND of none is True. The gates form a balanced tree.
func (c *Circuit) Ands(lits ...Lit) Lit {
	switch len(lits) {
	case 0:
		return True
	case 1:
		return lits[0]
	case 2:
		return c.And(lits[0], lits[1])
	}
	c.scratch = append(c.scratch[:0], lits...)
	return c.andAll(c.scratch)
}

// Ors is true when at least one of lits is; the OR of none is False. The gates form a balanced tree.
func (c *Circuit) Ors(lits ...Lit) Lit {
	switch len(lits) {
	case 0:
		return False
	case 1:
		return lits[0]
	case 2:
		return c.Or(lits[0], lits[1])
	}
	c.scratch = c.scratch[:0]
	for _, l := range lits {
		c.scratch = append(c.scratch, l^1)
	}
	return c.andAll(c.scratch) ^ 1
}

// andAll returns the AND of lits, which it overwrites. They are sorted first: the same set
// in another order gives the same gates, and equal or negated literals become neighbours.
func (c *Circuit) andAll(lits []Lit) Lit {
	slices.Sort(lits)
	if lits[0] == False {
		return False
	}
	lits = slices.Compact(lits)
	for i := 1; i < len(lits); i++ {
		if lits[i]^1 == lits[i-1] {
			return False
		}
	}
	for len(lits) > 1 {
		half := 0
		for i := 0; i+1 < len(lits); i += 2 {
			l := c.And(lits[i], lits[i+1])
			if l == False {
				return False
			}
			lits[half] = l
			half++
		}
		if len(lits)%2 == 1 {
			lits[half] = lits[len(lits)-1]
			half++
		}
		lits = lits[:half]
	}
	return lits[0]
}

// conjuncts returns the literals of an AND of ANDs, even if other gates use these. The
// result is a new slice.
func (c *Circuit) conjuncts(l Lit) []Lit {
	var leaves []Lit
	seen := map[Lit]bool{}
	for stack := []Lit{l}; len(stack) > 0; {
		l, stack = stack[len(stack)-1], stack[:len(stack)-1]
		if seen[l] {
			continue
		}
		seen[l] = true
		if g := c.nodes[l.node()]; l > True && !l.negated() && g.a != isInput {
			stack = append(stack, g.b, g.a)
		} else {
			leaves = append(leaves, l)
		}
	}
	return leaves
}

// Graft builds functions of another circuit in c, with the literal inputs[i] of
// c in place of input i there. The result has one literal for each root.
func (c *Circuit) Graft(from *Circuit, inputs []Lit, roots ...Lit) []Lit {
	wanted := from.cone(roots)
	grafted := make([]Lit, len(from.nodes))
	in := func(l Lit) Lit { return grafted[l.node()] ^ l&1 }
	for n, g := range from.nodes {
		switch {
		case n == 0 || !wanted[n]:
		case g.a == isInput:
			grafted[n] = inputs[g.b]
		default:
			grafted[n] = c.And(in(g.a), in(g.b))
		}
	}
	out := make([]Lit, len(roots))
	for i, l := range roots {
		out[i] = in(l)
	}
	return out
}

// cone marks the nodes on which some functions depend.
func (c *Circuit) cone(roots []Lit) []bool {
	needed := make([]bool, len(c.nodes))
	for _, l := range roots {
		needed[l.node()] = true
	}
	for n := len(needed) - 1; n > 0; n-- { // a gate comes after those on which it depends
		if g := c.nodes[n]; needed[n] && g.a != isInput {
			needed[g.a.node()], needed[g.b.node()] = true, true
		}
	}
	return needed
}
