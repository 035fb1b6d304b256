package solver_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/solver"
)

// A message goes from a to c directly, and again through b. Which losses and crashes keep it from
// c, with at most one crash? Of c itself no crash is considered.
func Example() {
	c := solver.NewCircuit(0)
	names := []string{"lose a>c", "lose a>b", "lose b>c", "crash a", "crash b"}
	faults := make([]solver.Lit, len(names))
	for i := range faults {
		faults[i] = c.Input()
	}
	ac, ab, bc, a, b := faults[0], faults[1], faults[2], faults[3], faults[4]

	direct := c.Ands(a.Not(), ac.Not())
	relayed := c.Ands(a.Not(), ab.Not(), b.Not(), bc.Not())
	missing := c.Or(direct, relayed).Not()
	bounds := []solver.Lit{c.AtMost([]solver.Lit{a, b}, 1)}

	search := solver.NewSearch(c, missing, bounds, faults)
	for {
		found, ok, err := search.Next(context.Background())
		if err != nil || !ok {
			break
		}
		var set []string
		for _, unit := range found.Units {
			set = append(set, names[unit])
		}
		fmt.Println(strings.Join(set, "; "))
	}
	// Output:
	// crash a
	// lose a>c; lose a>b
	// lose a>c; lose b>c
	// lose a>c; crash b
}

// A core names the assumptions that contradict each other.
func ExampleSolver_MinimalCore() {
	c := solver.NewCircuit(0)
	x, y, z := c.Input(), c.Input(), c.Input()
	s := solver.NewSolver(c)
	s.Assert(c.AtMost([]solver.Lit{x, y}, 1))
	core, status, err := s.MinimalCore(context.Background(), x, z, y)
	fmt.Println(status, err, len(core), core[0] == x, core[1] == y)
	// Output: unsatisfiable <nil> 2 true true
}
