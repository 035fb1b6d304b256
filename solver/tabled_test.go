package solver

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTabled builds random functions over random truth tables, of one word and of several, and
// compares them with what the words say.
func TestTabled(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 0))
		n := 1 + rng.IntN(700)
		if seed%3 == 0 {
			n = 1 + rng.IntN(70)
		}
		c := NewTabled(n, 0)
		require.Equal(t, n, c.Assignments())
		value := map[Lit][]bool{False: make([]bool, n), True: slices.Repeat([]bool{true}, n)}
		pool := []Lit{False, True}
		byTable := map[string]Lit{}
		add := func(l Lit, want []bool) {
			for i, v := range want {
				require.Equal(t, v, c.Under(l, i))
			}
			text := string(boolBytes(want))
			if same, known := byTable[text]; known {
				require.Equal(t, same, l, "equal tables are one literal")
			}
			byTable[text] = l
			value[l] = want
			pool = append(pool, l)
			checkTable(t, c, l, want)
		}
		for range 5 {
			want := make([]bool, n)
			words := make([]uint64, (n+63)/64)
			often := 1 + rng.IntN(8)
			for i := range want {
				if want[i] = rng.IntN(often) == 0; want[i] {
					words[i/64] |= 1 << (i % 64)
				}
			}
			if over := n % 64; over != 0 {
				words[len(words)-1] |= rng.Uint64() << over // which makes no difference
			}
			add(c.InputTable(words), want)
		}
		pick := func() Lit { return pool[rng.IntN(len(pool))] ^ Lit(rng.IntN(2)) }
		of := func(l Lit, i int) bool {
			if plain, known := value[l]; known {
				return plain[i]
			}
			return !value[l.Not()][i]
		}
		for range 100 {
			x, y, z := pick(), pick(), pick()
			want := make([]bool, n)
			implies := true
			for i := range want {
				want[i] = of(x, i) && of(y, i)
				implies = implies && (!of(x, i) || of(y, i))
			}
			require.Equal(t, implies, c.Implies(x, y))
			if l := c.And(x, y); l&1 == 0 {
				add(l, want)
			} else {
				for i := range want {
					want[i] = !want[i]
				}
				add(l.Not(), want)
			}
			l := c.Ite(x, y, z)
			for i := range n {
				require.Equal(t, of(x, i) && of(y, i) || !of(x, i) && of(z, i), c.Under(l, i))
			}
		}
	}
}

func boolBytes(values []bool) []byte {
	text := make([]byte, len(values))
	for i, v := range values {
		if v {
			text[i] = 1
		}
	}
	return text
}

// checkTable compares the table of a literal and of its negation, and what is read off them.
func checkTable(t *testing.T, c *Circuit, l Lit, want []bool) {
	t.Helper()
	var on, off []int
	for i, v := range want {
		if v {
			on = append(on, i)
		} else {
			off = append(off, i)
		}
	}
	require.Equal(t, on, slices.Collect(c.Where(l)))
	require.Equal(t, off, slices.Collect(c.Where(l.Not())))
	first := -1
	if on != nil {
		first = on[0]
	}
	require.Equal(t, first, c.First(l))
	require.Equal(t, len(on) == 0, l == False)
	require.Equal(t, len(off) == 0, l == True)
	words := make([]uint64, (len(want)+63)/64)
	for _, i := range on {
		words[i/64] |= 1 << (i % 64)
	}
	require.Equal(t, words, c.Table(l))
	require.Equal(t, l, c.InputTable(words))
}

// TestTabledCounts: all that is built of ANDs works as on other circuits.
func TestTabledCounts(t *testing.T) {
	c := NewTabled(64, 0)
	var lits []Lit
	for _, table := range tables {
		lits = append(lits, c.InputTable([]uint64{table}))
	}
	for i, l := range c.Counts(lits, 6) {
		for a := range 64 {
			count := 0
			for _, in := range lits {
				if c.Under(in, a) {
					count++
				}
			}
			require.Equal(t, count > i, c.Under(l, a))
		}
	}
}

func TestTabledLimit(t *testing.T) {
	c := NewTabled(64, 1)
	a, b, d := c.InputTable([]uint64{tables[0]}), c.InputTable([]uint64{tables[1]}), c.InputTable([]uint64{tables[2]})
	require.NotEqual(t, False, c.And(a, b))
	require.NoError(t, c.Err())
	require.Equal(t, c.And(a, b), c.And(b, a))
	require.NoError(t, c.Err(), "what is there is no further gate")
	c.And(b, d)
	var limit *LimitError
	require.True(t, errors.As(c.Err(), &limit))
	require.Equal(t, 1, limit.Gates)
}
