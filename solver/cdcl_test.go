package solver

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each answer agrees with the trial of all values, whatever was asked and forgotten before; a
// clause of a question is there for this question only, and the core is one.
func TestCDCL(t *testing.T) {
	both := map[bool]int{}
	for seed := range 150 {
		r := rand.New(rand.NewPCG(uint64(seed), 5))
		s, n := newCDCL(), 3+r.IntN(6)
		var all []literal
		for range n {
			v := s.variable()
			all = append(all, 2*v, 2*v+1)
		}
		some := func(n int) (lits []literal) {
			for range n {
				lits = append(lits, all[r.IntN(len(all))])
			}
			return lits
		}
		var clauses [][]literal
		possible := func(once, assumptions []literal) bool {
			for values := range 1 << n {
				holds := func(l literal) bool { return values>>((l-all[0])/2)&1 == int(^l&1) }
				if (len(once) == 0 || slices.ContainsFunc(once, holds)) &&
					!slices.ContainsFunc(assumptions, func(l literal) bool { return !holds(l) }) &&
					!slices.ContainsFunc(clauses, func(c []literal) bool { return !slices.ContainsFunc(c, holds) }) {
					return true
				}
			}
			return false
		}
		for question := range 25 {
			for range r.IntN(4) {
				if c := some(1 + r.IntN(4)); len(clauses) < 4*n {
					clauses = append(clauses, c)
					s.add(given, c...)
				}
			}
			if r.IntN(5) == 0 {
				s.renew()
			}
			once, assumptions := some(r.IntN(4)), some(r.IntN(4))
			s.ask()
			for _, l := range all {
				s.look(l >> 1)
			}
			sat, err := s.solve(t.Context(), once, assumptions)
			require.NoError(t, err)
			require.Equal(t, possible(once, assumptions), sat, "seed %d, question %d", seed, question)
			if !sat {
				require.Subset(t, assumptions, s.core)
				require.False(t, possible(once, s.core), "seed %d, question %d: the core", seed, question)
			}
			both[sat]++
		}
	}
	require.Greater(t, both[true], 500)
	require.Greater(t, both[false], 500)
}
