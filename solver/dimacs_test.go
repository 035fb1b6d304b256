package solver_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/solver"
	"github.com/stretchr/testify/require"
)

func TestWriteDIMACS(t *testing.T) {
	c := solver.NewCircuit(0)
	a, b, d := c.Input(), c.Input(), c.Input()
	var text strings.Builder
	name := func(input int) string { return fmt.Sprintf("fault %d", input) }
	f := c.Formula(c.Or(a, c.And(b, d)), c.And(a, d).Not())
	f.Name = name
	require.NoError(t, f.WriteDIMACS(&text))
	require.Equal(t, `c 1 fault 0
c 2 fault 1
c 3 fault 2
p cnf 6 11
c p show 1 2 3 0
-4 2 0
-4 3 0
4 -2 -3 0
-5 -1 0
-5 -4 0
5 1 4 0
-6 1 0
-6 3 0
6 -1 -3 0
-5 0
-6 0
`, text.String())
}

func TestWriteDIMACSOfConstants(t *testing.T) {
	c := solver.NewCircuit(0)
	c.Input()
	for constant, want := range map[solver.Lit]string{
		solver.True:  "c 1 x\np cnf 1 0\nc p show 1 0\n",
		solver.False: "c 1 x\np cnf 1 1\nc p show 1 0\n0\n",
	} {
		var text strings.Builder
		f := c.Formula(constant)
		f.Name = func(int) string { return "x" }
		require.NoError(t, f.WriteDIMACS(&text))
		require.Equal(t, want, text.String())
	}
}
