package solver

import (
	"context"
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	long = flag.Int("long", 6, "rounds of the stress tests")
	seed = flag.Uint64("seed", 1, "of the first round of the stress tests; round i has seed+i")
)

// formula is a random conjunction of small clauses, near the number where there are few solutions
// and contradictions are hard to see.
func formula(c *Circuit, rng *rand.Rand, inputs []Lit, clauses int) Lit {
	all := make([]Lit, clauses)
	for i := range all {
		var clause []Lit
		for _, k := range rng.Perm(len(inputs))[:3] {
			clause = append(clause, inputs[k]^Lit(rng.IntN(2)))
		}
		all[i] = c.Ors(clause...)
	}
	return c.Ands(all...)
}

// TestStress keeps one solver busy with contradictory and satisfiable questions that take it
// many conflicts, with cancelled ones between them, and compares with enumeration.
func TestStress(t *testing.T) {
	for round := range uint64(*long) {
		stress(t, *seed+round)
	}
}

func stress(t *testing.T, seed uint64) {
	const n = 13
	rng := rand.New(rand.NewPCG(seed, 31))
	c := NewCircuit(0)
	var inputs []Lit
	for range n {
		inputs = append(inputs, c.Input())
	}
	hard := pigeons(c, 6)
	s := NewSolver(c)
	for range 40 {
		f := formula(c, rng, inputs, n*4)
		fixed := inputs[rng.IntN(n)] ^ Lit(rng.IntN(2))
		few := c.AtMost(inputs, rng.IntN(n))
		question := []Lit{f, fixed, few}
		status, err := s.Solve(ctx, question...)
		require.NoError(t, err, "seed %d", seed)
		require.Equal(t, enumerate(c, n, c.Ands(question...)) > 0, status == Sat, "seed %d", seed)
		if status == Sat {
			for _, l := range question {
				require.True(t, s.Value(l), "seed %d", seed)
			}
		}
		if rng.IntN(4) == 0 {
			cancelled(t, s, hard)
		}
		if rng.IntN(10) == 0 {
			status, err := s.Solve(ctx, hard)
			require.NoError(t, err)
			require.Equal(t, Unsat, status)
			require.Equal(t, []Lit{hard}, s.Core())
		}
	}
}

// cancelled asks a question and ends the context meanwhile: whether the answer comes first depends
// on chance, what the solver answers afterwards must not.
func cancelled(t *testing.T, s *Solver, hard Lit) {
	cancellable, cancel := context.WithCancel(ctx)
	go cancel()
	if status, err := s.Solve(cancellable, hard); err == nil {
		require.Equal(t, Unsat, status)
	} else {
		require.ErrorIs(t, err, context.Canceled)
	}
}

// enumerate counts for how many values of the first n inputs l holds, all others being false.
func enumerate(c *Circuit, n int, l Lit) (count int) {
	w := NewWords(c, l)
	inputs := make([]uint64, n)
	for from := uint64(0); from < 1<<n; from += 64 {
		assignments(inputs, from)
		w.Eval(inputs)
		for word := w.Value(l); word != 0; word &= word - 1 {
			count++
		}
	}
	return count
}

// TestStressSearch takes all solutions out of a formula, by way of its minimal sets.
func TestStressSearch(t *testing.T) {
	const n = 11
	for round := range uint64(*long) {
		rng := rand.New(rand.NewPCG(*seed+round, 32))
		c := NewCircuit(0)
		var inputs []Lit
		for range n {
			inputs = append(inputs, c.Input())
		}
		f := formula(c, rng, inputs, 2*n)
		got := drain(t, NewSearch(c, f, nil, inputs))
		require.Equal(t, minimalOf(c, f, n), got, "seed %d", *seed+round)
	}
}

// TestStressSearchOfManyWays does the same with a goal that can be reached in many ways, most of
// which the constraints forbid.
func TestStressSearchOfManyWays(t *testing.T) {
	const n = 10
	for round := range uint64(*long) {
		rng := rand.New(rand.NewPCG(*seed+round, 33))
		c := NewCircuit(0)
		var inputs []Lit
		for range n {
			inputs = append(inputs, c.Input())
		}
		ways := make([]Lit, 150)
		for i := range ways {
			var all []Lit
			for _, k := range rng.Perm(n)[:n/2] {
				all = append(all, inputs[k]^Lit(rng.IntN(2)))
			}
			ways[i] = c.Ands(all...)
		}
		goal, valid := c.Ors(ways...), formula(c, rng, inputs, 3*n)
		require.Greater(t, len(c.parts(goal)), 1)
		got := drain(t, NewSearch(c, goal, []Lit{valid}, inputs))
		require.Equal(t, minimalOf(c, c.And(goal, valid), n), got, "seed %d", *seed+round)
	}
}

// minimalOf is minimalSets for more inputs than a truth table has.
func minimalOf(c *Circuit, l Lit, n int) [][]int {
	w := NewWords(c, l)
	inputs := make([]uint64, n)
	var table []uint64
	for from := uint64(0); from < 1<<n; from += 64 {
		assignments(inputs, from)
		w.Eval(inputs)
		table = append(table, w.Value(l))
	}
	return minimalSets(func(set int) bool { return table[set/64]>>(set%64)&1 == 1 }, n)
}
