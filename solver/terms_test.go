package solver

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTerms compares terms with the truth tables of random functions: they are the
// function wherever that counts, and none can be left out.
func TestTerms(t *testing.T) {
	several := 0
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 4))
		c, pool := randomCircuit(rng, 1+rng.IntN(6), 60)
		d := NewDiagrams(c, 1<<16)
		all := ^uint64(0)
		if c.Inputs() < 6 {
			all = uint64(1)<<(1<<c.Inputs()) - 1
		}
		for range 60 {
			f, care := pool[rng.IntN(len(pool))], pool[rng.IntN(len(pool))]
			if rng.IntN(2) == 0 {
				care = known{True, all}
			}
			terms, known := d.Terms(f.lit, care.lit, 1<<10)
			require.True(t, known)
			counts := care.table & all
			require.Equal(t, f.table&counts, tableOfTerms(c, terms)&counts, "seed %d", seed)
			for i := range terms {
				fewer := append(append([]Term(nil), terms[:i]...), terms[i+1:]...)
				require.NotEqual(t, f.table&counts, tableOfTerms(c, fewer)&counts, "seed %d: term %d of %v is not needed", seed, i, terms)
			}
			if len(terms) > 1 {
				several++
			}
		}
	}
	require.Greater(t, several, 500)
}

// tableOfTerms is the truth table of a disjunction of terms.
func tableOfTerms(c *Circuit, terms []Term) uint64 {
	var table uint64
	for assignment := range 1 << c.Inputs() {
		for _, term := range terms {
			met := true
			for _, l := range term {
				met = met && (assignment>>l.Input&1 == 1) == l.True
			}
			if met {
				table |= 1 << assignment
			}
		}
	}
	return table
}

// TestTooManyTerms: then they are not known, and other questions are answered.
func TestTooManyTerms(t *testing.T) {
	c := NewCircuit(0)
	odd := False
	for range 10 {
		next := c.Input()
		odd = c.Ite(odd, next.Not(), next)
	}
	d := NewDiagrams(c, 1<<12)
	_, known := d.Terms(odd, True, 100)
	require.False(t, known)
	terms, known := d.Terms(odd, True, 512)
	require.True(t, known)
	require.Len(t, terms, 512)
}
