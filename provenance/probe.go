package provenance

import (
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/solver"
)

// probe decides whether one condition implies another. A few fixed assignments
// of the fault variables answer most questions; the others go to a solver.
type probe struct {
	circuit *solver.Circuit
	solver  *solver.Solver
	random  *rand.Rand
	words   []uint64 // by node: its value under 64 assignments
}

func newProbe(c *solver.Circuit) *probe {
	return &probe{
		circuit: c,
		solver:  solver.NewSolver(c),
		random:  rand.New(rand.NewPCG(1, 2)),
		words:   []uint64{0},
	}
}

// word returns the value of a literal under the assignments.
func (p *probe) word(l solver.Lit) uint64 {
	for n := len(p.words); n <= int(l>>1); n++ {
		a, b, input, _ := p.circuit.Node(solver.Lit(n << 1))
		if input {
			p.words = append(p.words, p.random.Uint64()&p.random.Uint64()&^1)
			continue
		}
		p.words = append(p.words, p.word(a)&p.word(b))
	}
	word := p.words[l>>1]
	if l&1 == 1 {
		word = ^word
	}
	return word
}

// implies tells whether a condition implies another, under all assignments of
// the fault variables.
func (g *grounding) implies(a, b solver.Lit) bool {
	if g.probe == nil {
		g.probe = newProbe(g.circuit)
	}
	if g.probe.word(a)&^g.probe.word(b) != 0 {
		return false
	}
	status, err := g.probe.solver.Solve(g.ctx, a, b.Not())
	if err != nil {
		g.fail(err)
	}
	return status == solver.Unsat
}
