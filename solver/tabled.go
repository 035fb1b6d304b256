package solver

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"
)

// A circuit can be restricted to some given assignments of its inputs. Then each function
// is its truth table over them: functions with the same table are the same literal, and a
// function that holds under no assignment is False. No solver is needed, only a table.

// truthTables are the truth tables of the nodes of such a circuit. Each has a bit for every
// assignment, and further bits, equal to the first, to make the last word whole: so
// negation is that of whole words. The table of a node has 0 for the first assignment; so
// of a function and its negation only one is a node.
type truthTables struct {
	assignments int
	words       int        // of a table
	blocks      [][]uint64 // the tables of perBlock nodes each, by node
	perBlock    uint32
	buckets     []uint32 // open addressing by the words: nodes, 0 is free
	shift       uint     // 64 - log2(len(buckets))
	known       []product
	computed    int64 // words
}

// product is an AND that was computed lately.
type product struct{ a, b, and Lit }

const (
	blockBytes   = 1 << 15
	knownLog     = 14
	wordsPerLook = 5 // tables of fewer words are computed sooner than looked up
)

// NewTabled is an empty circuit over n assignments, numbered from 0, that may grow to maxGates gates;
// 0 means as many as fit. Its inputs come from InputTable.
func NewTabled(n, maxGates int) *Circuit {
	if n < 1 {
		panic(fmt.Sprintf("solver: a circuit over %d assignments", n))
	}
	c := NewCircuit(maxGates)
	t := &truthTables{assignments: n, words: (n + 63) / 64}
	t.perBlock = uint32(max(1, blockBytes/8/t.words))
	if t.words >= wordsPerLook {
		t.known = make([]product, 1<<knownLog)
	}
	t.resize(11, 1)
	t.room(0) // False
	c.table, c.tables = nil, t
	return c
}

// Assignments returns the number of the assignments of a circuit that is restricted to
// given ones, 0 of another circuit.
func (c *Circuit) Assignments() int {
	if c.tables == nil {
		return 0
	}
	return c.tables.assignments
}

// InputTable is the function that is true under some of the assignments of a tabled circuit: bit i%64
// of words[i/64] is its value under assignment i. It need be no new literal, and no input: it may be
// a constant, a gate, or the negation of another input.
func (c *Circuit) InputTable(words []uint64) Lit {
	t := c.tables
	into := t.room(uint32(len(c.nodes)))
	clear(into)
	copy(into, words)
	if over := t.assignments & 63; over != 0 {
		last := &into[t.words-1]
		*last &= 1<<over - 1
		if into[0]&1 == 1 {
			*last |= ^uint64(0) << over
		}
	}
	negated := Lit(into[0] & 1)
	flip := -uint64(negated)
	for i := range into {
		into[i] ^= flip
	}
	return c.entered(into, gate{isInput, Lit(len(c.inputs))}) ^ negated
}

// Table is the truth table of l, in words as InputTable takes them. Bits behind the last assignment
// are 0.
func (c *Circuit) Table(l Lit) []uint64 {
	t := c.tables
	words := slices.Clone(t.of(l.node()))
	if l.negated() {
		for i := range words {
			words[i] = ^words[i]
		}
	}
	if over := t.assignments & 63; over != 0 {
		words[t.words-1] &= 1<<over - 1
	}
	return words
}

// Under is the value of l under an assignment of a tabled circuit.
func (c *Circuit) Under(l Lit, assignment int) bool {
	return (c.tables.of(l.node())[assignment>>6]>>(assignment&63)&1 == 1) != l.negated()
}

// First is the first assignment of a tabled circuit under which l is true, -1 if there is none.
func (c *Circuit) First(l Lit) int {
	for i := range c.Where(l) {
		return i
	}
	return -1
}

// Where yields the assignments of a tabled circuit under which l is true, in ascending order.
func (c *Circuit) Where(l Lit) iter.Seq[int] {
	return func(yield func(int) bool) {
		flip := -uint64(l & 1)
		for w := 0; 64*w < c.tables.assignments; w++ {
			word := c.tables.of(l.node())[w] ^ flip // the blocks may have grown meanwhile
			for ; word != 0; word &= word - 1 {
				i := 64*w + bits.TrailingZeros64(word)
				if i >= c.tables.assignments || !yield(i) {
					return
				}
			}
		}
	}
}

// Implies tells whether b is true under each assignment of a tabled circuit under which a is.
func (c *Circuit) Implies(a, b Lit) bool {
	ta, tb := c.tables.of(a.node()), c.tables.of(b.node())
	fa, fb := -uint64(a&1), -uint64(b&1)
	for i := range ta {
		if (ta[i]^fa)&^(tb[i]^fb) != 0 {
			return false
		}
	}
	return true
}

// Work returns the work of building the circuit so far: a step for each gate, and for each
// word of a truth table that was computed.
func (c *Circuit) Work() int64 {
	if c.tables == nil {
		return int64(len(c.nodes))
	}
	return c.tables.computed
}

// tabled returns the AND of a and b, neither of which is a constant or the negation of the
// other.
func (c *Circuit) tabled(a, b Lit) Lit {
	t := c.tables
	if t.known == nil {
		return c.computed(a, b)
	}
	p := &t.known[(uint64(a)<<32|uint64(b))*0x9E3779B97F4A7C15>>(64-knownLog)]
	if p.a != a || p.b != b {
		*p = product{a, b, c.computed(a, b)}
	}
	return p.and
}

// computed is tabled from the tables.
func (c *Circuit) computed(a, b Lit) Lit {
	t := c.tables
	t.computed += int64(t.words)
	into := t.room(uint32(len(c.nodes)))
	ta, tb := t.of(a.node())[:len(into)], t.of(b.node())[:len(into)]
	fa, fb, negated := -uint64(a&1), -uint64(b&1), a&b&1
	flip := -uint64(negated)
	for i := range into {
		into[i] = (ta[i]^fa)&(tb[i]^fb) ^ flip
	}
	return c.entered(into, gate{a, b}) ^ negated
}

// entered returns the literal of a table that is stored in the room of the next node: an
// existing node, or a new one for the gate g.
func (c *Circuit) entered(table []uint64, g gate) Lit {
	t := c.tables
	h, zero := hashWords(table)
	if zero {
		return False
	}
	mask := uint64(len(t.buckets) - 1)
	i := h >> t.shift
	for ; t.buckets[i] != 0; i = (i + 1) & mask {
		if n := t.buckets[i]; slices.Equal(t.of(n), table) {
			return Lit(n) << 1
		}
	}
	if c.Gates() >= c.maxGates || len(c.nodes) >= maxNodes {
		c.err = &LimitError{Gates: c.maxGates}
		return False
	}
	n := uint32(len(c.nodes))
	c.nodes = append(c.nodes, g)
	if g.a == isInput {
		c.inputs = append(c.inputs, Lit(n)<<1)
	}
	t.buckets[i] = n
	if 2*len(c.nodes) > len(t.buckets) {
		t.resize(64-t.shift+1, len(c.nodes))
	}
	return Lit(n) << 1
}

// of is the table of a node.
func (t *truthTables) of(n uint32) []uint64 {
	at := int(n%t.perBlock) * t.words
	return t.blocks[n/t.perBlock][at : at+t.words]
}

// room returns the memory for the table of node n, the next one that is made.
func (t *truthTables) room(n uint32) []uint64 {
	if int(n/t.perBlock) == len(t.blocks) {
		t.blocks = append(t.blocks, make([]uint64, int(t.perBlock)*t.words))
	}
	return t.of(n)
}

// resize gives the nodes that there are 2^log buckets.
func (t *truthTables) resize(log uint, nodes int) {
	t.buckets, t.shift = make([]uint32, 1<<log), 64-log
	mask := uint64(len(t.buckets) - 1)
	for n := uint32(1); n < uint32(nodes); n++ {
		h, _ := hashWords(t.of(n))
		i := h >> t.shift
		for t.buckets[i] != 0 {
			i = (i + 1) & mask
		}
		t.buckets[i] = n
	}
}

// hashWords is a hash of a table, and whether it has only zeros.
func hashWords(table []uint64) (hash uint64, zero bool) {
	h, any := uint64(14695981039346656037), uint64(0)
	for _, w := range table {
		any |= w
		h = (h ^ w) * 0x9E3779B97F4A7C15
		h ^= h >> 32
	}
	return h * 0x9E3779B97F4A7C15, any == 0
}
