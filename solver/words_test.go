package solver

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWordsAgreeWithTruthTables(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 7))
		c, all := randomCircuit(rng, 6, 100)
		var roots []Lit
		chosen := rng.Perm(len(all))[:1+rng.IntN(20)]
		for _, i := range chosen {
			roots = append(roots, all[i].lit)
		}
		w := NewWords(c, roots...)
		inputs := make([]uint64, 6)
		assignments(inputs, 0)
		w.Eval(inputs)
		for _, i := range chosen {
			require.Equal(t, all[i].table, w.Value(all[i].lit), "seed %d", seed)
			require.Equal(t, ^all[i].table, w.Value(all[i].lit.Not()), "seed %d", seed)
		}
		require.LessOrEqual(t, w.Gates(), c.Gates())
	}
}

func TestWordsOfManyInputs(t *testing.T) {
	c := NewCircuit(0)
	var lits []Lit
	for range 10 {
		lits = append(lits, c.Input())
	}
	exactlyThree := c.And(c.AtMost(lits, 3), c.AtMost(lits, 2).Not())
	w := NewWords(c, exactlyThree)
	inputs, count := make([]uint64, 10), 0
	for from := uint64(0); from < 1<<10; from += 64 {
		assignments(inputs, from)
		w.Eval(inputs)
		for word := w.Value(exactlyThree); word != 0; word &= word - 1 {
			count++
		}
	}
	require.Equal(t, 120, count) // 10 over 3
}

func TestWordsOfConstantsAndMissingInputs(t *testing.T) {
	c := NewCircuit(0)
	x := c.Input()
	w := NewWords(c, True, False, x)
	w.Eval(nil)
	require.Equal(t, ^uint64(0), w.Value(True))
	require.Zero(t, w.Value(False))
	require.Zero(t, w.Value(x))
	require.Zero(t, NewWords(c).Gates())
}

func TestRandomizeDependsOnItsSourceOnly(t *testing.T) {
	a, b := make([]uint64, 9), make([]uint64, 9)
	randomAssignments(a, rand.New(rand.NewPCG(1, 1)))
	randomAssignments(b, rand.New(rand.NewPCG(1, 1)))
	require.Equal(t, a, b)
	randomAssignments(b, rand.New(rand.NewPCG(1, 2)))
	require.NotEqual(t, a, b)
}

func BenchmarkWords(b *testing.B) {
	for _, size := range []int{1e3, 1e4, 1e5} {
		b.Run(benchmarkName("gates", size), func(b *testing.B) {
			c, roots := largeCircuit(100, size)
			w := NewWords(c, roots...)
			inputs := make([]uint64, 100)
			randomAssignments(inputs, rand.New(rand.NewPCG(9, 9)))
			for b.Loop() {
				w.Eval(inputs)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(w.Gates()), "ns/gate")
		})
	}
}

func largeCircuit(inputs, gates int) (*Circuit, []Lit) {
	rng := rand.New(rand.NewPCG(8, 8))
	c := NewCircuit(0)
	for range inputs {
		c.Input()
	}
	var all []Lit
	for c.Gates() < gates {
		near := max(2, 2*len(c.nodes)-2000) // most gates use recent ones
		pick := func() Lit { return Lit(near + rng.IntN(2*len(c.nodes)-near)) }
		all = append(all, c.And(pick(), pick()))
	}
	return c, all
}

// assignments sets inputs to the 64 assignments whose numbers begin with from, a multiple of 64,
// where bit i of its number is the value of input i.
func assignments(inputs []uint64, from uint64) {
	patterns := [6]uint64{
		0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
		0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000,
	}
	for i := range inputs {
		switch {
		case i < len(patterns):
			inputs[i] = patterns[i]
		default:
			inputs[i] = -(from >> i & 1)
		}
	}
}

// randomAssignments sets inputs to 64 assignments in which each input is true with an even chance.
func randomAssignments(inputs []uint64, random *rand.Rand) {
	for i := range inputs {
		inputs[i] = random.Uint64()
	}
}
