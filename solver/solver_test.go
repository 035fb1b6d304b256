package solver

import (
	"context"
	"math/rand/v2"
	"runtime"
	"testing"

	_ "github.com/lineage-driven/ldfi/internal/testing/generate" // spends less on the collector
	"github.com/stretchr/testify/require"
)

var ctx = context.Background()

// within is the table that is true exactly for the assignments of n inputs.
func within(n int) uint64 { return ^uint64(0) >> (64 - 1<<n) }

func pickKnown(rng *rand.Rand, all []known) known {
	k := all[rng.IntN(len(all))]
	if rng.IntN(2) == 0 {
		return known{k.lit.Not(), ^k.table}
	}
	return k
}

// assignment is the number of the assignment that the solver found.
func assignment(s *Solver) (n int) {
	for i, l := range s.circuit.inputs {
		if s.Value(l) {
			n |= 1 << i
		}
	}
	return n
}

// TestSolverAgreesWithTruthTables asks one solver thousands of questions, most of them after it
// answered that there is no solution, while assertions are added until nothing is left.
func TestSolverAgreesWithTruthTables(t *testing.T) {
	asked := [3]int{}
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 11))
		c, all := randomCircuit(rng, 6, 60)
		s := NewSolver(c)
		asserted := within(6)
		for range 100 {
			if rng.IntN(20) == 0 {
				k := pickKnown(rng, all)
				s.Assert(k.lit)
				asserted &= k.table
			}
			if rng.IntN(4) == 0 {
				all = append(all, randomStep(c, rng, func() known { return pickKnown(rng, all) }))
			}
			var assumed []known
			for range rng.IntN(6) {
				assumed = append(assumed, pickKnown(rng, all))
			}
			asked[check(t, s, all, asserted, assumed)]++
		}
	}
	require.Greater(t, asked[Sat], 500)
	require.Greater(t, asked[Unsat], 500)
}

// check asks s about assumed and compares all that it says with the truth tables.
func check(t *testing.T, s *Solver, all []known, asserted uint64, assumed []known) Status {
	table, lits := asserted, []Lit(nil)
	for _, k := range assumed {
		table, lits = table&k.table, append(lits, k.lit)
	}
	status, err := s.Solve(ctx, lits...)
	require.NoError(t, err)
	if status == Sat {
		n := assignment(s)
		require.NotZero(t, table>>n&1)
		for _, k := range all {
			require.Equal(t, k.table>>n&1 == 1, s.Value(k.lit))
		}
		return status
	}
	require.Equal(t, Unsat, status)
	require.Zero(t, table)
	checkCore(t, s, asserted, assumed, lits)
	return status
}

func checkCore(t *testing.T, s *Solver, asserted uint64, assumed []known, lits []Lit) {
	tableOfCore := func(core []Lit) uint64 {
		table := asserted
		for _, l := range core {
			require.Contains(t, lits, l)
			table &= tableOf(s.circuit, l)
		}
		return table
	}
	require.Zero(t, tableOfCore(s.Core()))
	core, status, err := s.MinimalCore(ctx, lits...)
	require.NoError(t, err)
	require.Equal(t, Unsat, status)
	require.Zero(t, tableOfCore(core))
	for i := range core {
		rest := append(append([]Lit(nil), core[:i]...), core[i+1:]...)
		require.NotZero(t, tableOfCore(rest), "%v of %v", core, assumed)
	}
}

func TestSolverIsDeterministic(t *testing.T) {
	run := func(ctx context.Context) (trace []int) {
		rng := rand.New(rand.NewPCG(4, 4))
		c, all := randomCircuit(rng, 6, 200)
		s := NewSolver(c)
		for range 300 {
			status, err := s.Solve(ctx, pickKnown(rng, all).lit, pickKnown(rng, all).lit)
			require.NoError(t, err)
			trace = append(trace, int(status), assignment(s))
			for _, l := range s.Core() {
				trace = append(trace, int(l))
			}
		}
		return trace
	}
	cancellable, cancel := context.WithCancel(ctx)
	defer cancel()
	require.Equal(t, run(ctx), run(ctx))
	require.Equal(t, run(ctx), run(cancellable))
}

// pigeons says that each of n+1 pigeons sits in one of n holes and no two in the same one, which
// is beyond any solver that does not count.
func pigeons(c *Circuit, n int) Lit {
	holes := make([][]Lit, n)
	var all []Lit
	for range n + 1 {
		var somewhere []Lit
		for h := range holes {
			l := c.Input()
			holes[h] = append(holes[h], l)
			somewhere = append(somewhere, l)
		}
		all = append(all, c.Ors(somewhere...))
	}
	for _, h := range holes {
		for i := range h {
			for j := range i {
				all = append(all, c.And(h[i], h[j]).Not())
			}
		}
	}
	return c.Ands(all...)
}

func TestPigeonsDoNotFit(t *testing.T) {
	c := NewCircuit(0)
	s := NewSolver(c)
	cancellable, cancel := context.WithCancel(ctx)
	defer cancel()
	status, err := s.Solve(cancellable, pigeons(c, 6))
	require.NoError(t, err)
	require.Equal(t, Unsat, status)
}

func TestAnEndedContextIsNoAnswer(t *testing.T) {
	c := NewCircuit(0)
	x := c.Input()
	s := NewSolver(c)
	ended, cancel := context.WithCancel(ctx)
	cancel()
	status, err := s.Solve(ended, x)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, Unknown, status)
	require.Zero(t, s.Calls())
	_, status, err = s.MinimalCore(ended, x)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, Unknown, status)

	status, err = s.Solve(ctx, x)
	require.NoError(t, err)
	require.Equal(t, Sat, status)
	require.Equal(t, 1, s.Calls())
}

func TestAHardQuestionCanBeCancelled(t *testing.T) {
	c := NewCircuit(0)
	hard, x := pigeons(c, 20), c.Input()
	s := NewSolver(c)
	before := runtime.NumGoroutine()
	for range 3 {
		cancellable, cancel := context.WithCancel(ctx)
		go cancel()
		status, err := s.Solve(cancellable, hard)
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, Unknown, status)

		status, err = s.Solve(ctx, x)
		require.NoError(t, err)
		require.Equal(t, Sat, status)
		status, err = s.Solve(ctx, x, x.Not())
		require.NoError(t, err)
		require.Equal(t, Unsat, status)
		require.ElementsMatch(t, []Lit{x, x.Not()}, s.Core())
	}
	for runtime.NumGoroutine() > before { // every goroutine that was started comes to its end
		runtime.Gosched()
	}
}

func TestConstantsAsQuestions(t *testing.T) {
	c := NewCircuit(0)
	x := c.Input()
	s := NewSolver(c)
	status, err := s.Solve(ctx, True, x, True)
	require.NoError(t, err)
	require.Equal(t, Sat, status)
	require.True(t, s.Value(x))
	require.True(t, s.Value(True))
	require.False(t, s.Value(False))
	status, err = s.Solve(ctx, True, x, False)
	require.NoError(t, err)
	require.Equal(t, Unsat, status)
	require.Equal(t, []Lit{False}, s.Core())
	s.Assert(False)
	for range 10 {
		status, err = s.Solve(ctx, x)
		require.NoError(t, err)
		require.Equal(t, Unsat, status)
		require.Empty(t, s.Core())
		s.Assert(x)
		s.AssertAny()
	}
}

func TestASolverOverAFullCircuitRefuses(t *testing.T) {
	c := NewCircuit(1)
	x, y, z := c.Input(), c.Input(), c.Input()
	s := NewSolver(c)
	all := c.Ands(x, y, z)
	status, err := s.Solve(ctx, all.Not())
	var limit *LimitError
	require.ErrorAs(t, err, &limit)
	require.Equal(t, Unknown, status)
}
