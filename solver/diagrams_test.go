package solver

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDiagrams compares what diagrams say of random functions with their truth tables.
func TestDiagrams(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 3))
		c, pool := randomCircuit(rng, 1+rng.IntN(6), 60)
		d := NewDiagrams(c, 1<<16)
		inputs := uint64(1)<<(1<<c.Inputs()) - 1
		if c.Inputs() == 6 {
			inputs = ^uint64(0)
		}
		same := map[uint64]Lit{}
		for range 300 {
			x, y := pool[rng.IntN(len(pool))], pool[rng.IntN(len(pool))]
			implied, known := d.Implies(x.lit, y.lit)
			require.True(t, known)
			require.Equal(t, x.table&^y.table&inputs == 0, implied)
			l := d.Same(x.lit)
			require.Equal(t, x.table&inputs, tableOf(c, l)&inputs)
			if other, met := same[x.table&inputs]; met {
				require.Equal(t, other, l)
			}
			same[x.table&inputs] = l
			pool = append(pool, known2(c, x, y))
		}
	}
}

// known2 is a further function, made after others were asked about.
func known2(c *Circuit, x, y known) known {
	return known{c.Or(x.lit, y.lit.Not()), x.table | ^y.table}
}

// TestDiagramsBeyondTheirLimit: then they know nothing, and a literal stays as it is.
func TestDiagramsBeyondTheirLimit(t *testing.T) {
	c := NewCircuit(0)
	sum := False
	var pairs [][2]Lit
	for range 12 {
		pairs = append(pairs, [2]Lit{c.Input(), False})
	}
	for i := range pairs {
		pairs[i][1] = c.Input()
	}
	d := NewDiagrams(c, 20)
	for _, p := range pairs {
		sum = c.Or(sum, c.And(p[0], p[1]))
	}
	_, known := d.Implies(pairs[0][0], pairs[1][1])
	require.True(t, known)
	require.Equal(t, sum, d.Same(sum))
	_, known = d.Implies(sum, pairs[0][0])
	require.False(t, known)
	require.LessOrEqual(t, d.Size(), 20)
	_, known = d.Implies(pairs[0][0], c.Or(pairs[0][0], pairs[1][0]))
	require.True(t, known, "an easier question is answered")
	for range 3 {
		d.Same(sum)
	}
	_, known = d.Implies(pairs[0][0], pairs[1][1])
	require.False(t, known, "there were too many that were too hard")
}

// TestDiagramsForget: with a small limit they begin anew again and again, and still know.
func TestDiagramsForget(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	c, pool := randomCircuit(rng, 6, 300)
	d := NewDiagrams(c, 80)
	for range 2000 {
		x, y := pool[rng.IntN(len(pool))], pool[rng.IntN(len(pool))]
		if implied, known := d.Implies(x.lit, y.lit); known {
			require.Equal(t, x.table&^y.table == 0, implied)
		}
		require.Equal(t, x.table, tableOf(c, d.Same(x.lit)))
	}
}
