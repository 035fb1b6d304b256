package solver

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// The truth table of a function of up to six inputs is one word: bit i is its value where the
// inputs are the bits of i.
var tables = [6]uint64{
	0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
	0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000,
}

// tableOf evaluates l from the gates, whatever the circuit thought when it built them.
func tableOf(c *Circuit, l Lit) uint64 {
	var t uint64
	switch a, b, input, number := c.Node(l); {
	case l <= True:
	case input:
		t = tables[number]
	default:
		t = tableOf(c, a) & tableOf(c, b)
	}
	if l.negated() {
		return ^t
	}
	return t
}

// known is a literal with the truth table that it must have.
type known struct {
	lit   Lit
	table uint64
}

// randomCircuit makes a circuit over the given number of inputs, six at most, with steps further
// functions of every kind, and says what each must be.
func randomCircuit(rng *rand.Rand, inputs, steps int) (*Circuit, []known) {
	c := NewCircuit(0)
	pool := []known{{False, 0}, {True, ^uint64(0)}}
	for i := range inputs {
		pool = append(pool, known{c.Input(), tables[i]})
	}
	pick := func() known {
		k := pool[rng.IntN(len(pool))]
		if rng.IntN(2) == 0 {
			return known{k.lit.Not(), ^k.table}
		}
		return k
	}
	for range steps {
		pool = append(pool, randomStep(c, rng, pick))
	}
	return c, pool
}

func randomStep(c *Circuit, rng *rand.Rand, pick func() known) known {
	x, y, z := pick(), pick(), pick()
	switch rng.IntN(8) {
	case 0, 1, 2:
		return known{c.And(x.lit, y.lit), x.table & y.table}
	case 3, 4:
		return known{c.Or(x.lit, y.lit), x.table | y.table}
	case 5:
		return known{c.Ite(x.lit, y.lit, z.lit), x.table&y.table | ^x.table&z.table}
	case 6:
		lits, and, _ := pickSome(rng, pick)
		return known{c.Ands(lits...), and}
	default:
		lits, _, or := pickSome(rng, pick)
		return known{c.Ors(lits...), or}
	}
}

func pickSome(rng *rand.Rand, pick func() known) (lits []Lit, and, or uint64) {
	and = ^uint64(0)
	for range rng.IntN(7) {
		k := pick()
		lits, and, or = append(lits, k.lit), and&k.table, or|k.table
	}
	return lits, and, or
}

func TestEveryGateComputesWhatItWasAskedFor(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 0))
		c, all := randomCircuit(rng, 1+int(seed%6), 150)
		for _, k := range all {
			require.Equal(t, k.table, tableOf(c, k.lit), "seed %d", seed)
		}
	}
}

func TestNoTwoGatesAreEqual(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	c, _ := randomCircuit(rng, 6, 3000)
	seen := map[gate]bool{}
	for _, g := range c.nodes[1:] {
		require.False(t, seen[g])
		seen[g] = true
		if g.a != isInput {
			require.Less(t, g.a, g.b)
			require.Greater(t, g.a, True)
		}
	}
}

func TestSimplifications(t *testing.T) {
	c := NewCircuit(0)
	x, y, z, w := c.Input(), c.Input(), c.Input(), c.Input()
	xy, xz := c.And(x, y), c.And(x, z)
	for _, k := range []struct {
		name      string
		got, want Lit
	}{
		{"x x", c.And(x, x), x},
		{"x !x", c.And(x, x.Not()), False},
		{"x true", c.And(True, x), x},
		{"x false", c.And(x, False), False},
		{"(x y) x", c.And(xy, x), xy},
		{"(x y) !x", c.And(xy, x.Not()), False},
		{"(x+y) x", c.And(c.Or(x, y), x), x},
		{"(x+y) !x", c.And(c.Or(x, y), x.Not()), c.And(x.Not(), y)},
		{"x + x y", c.Or(x, xy), x},
		{"x y + x !y", c.Or(xy, c.And(x, y.Not())), x},
		{"(x y) (!x z)", c.And(xy, c.And(x.Not(), z)), False},
		{"(x y) !(!x z)", c.And(xy, c.And(x.Not(), z).Not()), xy},
		{"(x y) !(x z)", c.And(xy, xz.Not()), c.And(xy, z.Not())},
		{"y x", c.And(y, x), xy},
		{"ands in another order", c.Ands(w, z, x, y), c.Ands(x, y, z, w)},
		{"ands with doubles", c.Ands(w, x, y, x, w), c.Ands(x, y, w)},
		{"ands with both signs", c.Ands(w, x, y, x.Not()), False},
		{"ors with both signs", c.Ors(w, x, y, x.Not()), True},
		{"no ands", c.Ands(), True},
		{"no ors", c.Ors(), False},
		{"ite of the same", c.Ite(x, y, y), y},
		{"ite of constants", c.Ite(x, True, False), x},
		{"constant test", c.Ite(True, y, z), y},
	} {
		require.Equal(t, k.want, k.got, k.name)
	}
}

func TestCountsAreExact(t *testing.T) {
	for n := range 7 {
		for limit := range n + 2 {
			c := NewCircuit(0)
			var lits []Lit
			for range n {
				lits = append(lits, c.Input())
			}
			counts := c.Counts(lits, limit)
			require.Len(t, counts, min(n, limit))
			for i, l := range counts {
				require.Equal(t, tableWhere(func(ones int) bool { return ones >= i+1 }, n), tableOf(c, l))
			}
			for k := -1; k <= n+1; k++ {
				require.Equal(t, tableWhere(func(ones int) bool { return ones <= k }, n), tableOf(c, c.AtMost(lits, k)))
			}
		}
	}
}

// tableWhere is true where the number of ones among the first n inputs is wanted.
func tableWhere(want func(ones int) bool, n int) (table uint64) {
	for i := range 64 {
		if want(bits.OnesCount(uint(i) & (1<<n - 1))) {
			table |= 1 << i
		}
	}
	return table
}

func TestWideCountsAreExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		c := NewCircuit(0)
		n := 1 + rng.IntN(40)
		ones := rng.IntN(n + 1)
		var lits []Lit
		for range n {
			lits = append(lits, c.Input())
		}
		held := make(map[Lit]bool)
		for _, i := range rng.Perm(n)[:ones] {
			held[lits[i]] = true
		}
		for i, l := range c.Counts(lits, 1+rng.IntN(n)) {
			require.Equal(t, ones >= i+1, holds(c, l, held), "%d of %d, at least %d", ones, n, i+1)
		}
	}
}

// holds evaluates l where exactly the inputs in held are true.
func holds(c *Circuit, l Lit, held map[Lit]bool) bool {
	memo := map[uint32]bool{}
	var value func(l Lit) bool
	value = func(l Lit) bool {
		v, ok := memo[l.node()]
		if !ok {
			a, b, input, _ := c.Node(l)
			if input {
				v = held[l&^1]
			} else {
				v = l > True && value(a) && value(b)
			}
			memo[l.node()] = v
		}
		return v != l.negated()
	}
	return value(l)
}

func TestNarrowCountsAreSmall(t *testing.T) {
	c := NewCircuit(0)
	var lits []Lit
	for range 500 {
		lits = append(lits, c.Input())
	}
	c.AtMost(lits, 3)
	require.Less(t, c.Gates(), 8*500)
}

func TestTheGateLimitIsKept(t *testing.T) {
	c := NewCircuit(100)
	var lits []Lit
	for range 300 {
		lits = append(lits, c.Input())
	}
	require.NoError(t, c.Err())
	l := c.Ands(lits...)
	require.Equal(t, False, l)
	require.Equal(t, 100, c.Gates())
	var limit *LimitError
	require.ErrorAs(t, c.Err(), &limit)
	require.Equal(t, 100, limit.Gates)
	c.AtMost(lits, 10)
	c.Ite(lits[0], lits[1], lits[2])
	require.Equal(t, 100, c.Gates())
	require.ErrorContains(t, c.Err(), "more than 100 gates")
}

func benchmarkName(what string, n int) string { return fmt.Sprintf("%s=%d", what, n) }

func BenchmarkAnd(b *testing.B) {
	for _, gates := range []int{1e3, 1e5, 1e6} {
		b.Run(benchmarkName("gates", gates), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(5, 6))
			pairs := make([][2]Lit, gates)
			for i := range pairs {
				pairs[i] = [2]Lit{Lit(2 + rng.IntN(2*i+200)), Lit(2 + rng.IntN(2*i+200))}
			}
			for b.Loop() {
				c := NewCircuit(0)
				for range 100 {
					c.Input()
				}
				for _, p := range pairs {
					last := Lit(2*len(c.nodes) - 1)
					c.And(min(p[0], last), min(p[1], last))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(gates), "ns/and")
		})
	}
}
