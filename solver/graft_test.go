package solver_test

import (
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/solver"
	"github.com/stretchr/testify/require"
)

// A threshold over three inputs becomes one over what takes their place: other
// inputs, their negations, or constants.
func TestGraft(t *testing.T) {
	from := solver.NewCircuit(0)
	inputs := []solver.Lit{from.Input(), from.Input(), from.Input()}
	two := from.Counts(inputs, 2)[1]

	c := solver.NewCircuit(0)
	x, y := c.Input(), c.Input()
	got := c.Graft(from, []solver.Lit{x, y.Not(), solver.True}, two, two.Not(), solver.True, inputs[1])
	require.Equal(t, c.Or(x, y.Not()), got[0])
	require.Equal(t, got[0].Not(), got[1])
	require.Equal(t, []solver.Lit{solver.True, y.Not()}, got[2:])
}

// A random function is the same after it is grafted onto the same inputs.
func TestGraftKeepsTheFunction(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		c := solver.NewCircuit(0)
		var lits []solver.Lit
		for range 6 {
			lits = append(lits, c.Input())
		}
		inputs := lits[:6:6]
		for range 60 {
			a, b := lits[random.IntN(len(lits))], lits[random.IntN(len(lits))]
			lits = append(lits, c.And(a^solver.Lit(random.IntN(2)), b^solver.Lit(random.IntN(2))))
		}
		root := lits[len(lits)-1]
		require.Equal(t, root, c.Graft(c, inputs, root)[0])
	}
}
