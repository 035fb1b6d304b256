package provenance

import (
	"math/rand/v2"
	"slices"

	"github.com/lineage-driven/ldfi/solver"
)

// probe decides whether conditions imply others. A few fixed assignments of the
// fault variables answer most questions; the others go to a solver.
type probe struct {
	circuit *solver.Circuit
	solver  *solver.Solver
	random  *rand.Rand
	words   []uint64 // by node: its value under 64 assignments

	diagrams *solver.Diagrams
	valid    map[solver.Lit]bool // literals known to hold under some schedule, or under none
}

// maxDecisions limits the size of diagrams; beyond it a solver is used.
const maxDecisions = 1 << 18

// canonical returns a literal of the same function, as far as known the same one for equal
// functions.
func (ev *evaluation) canonical(l solver.Lit) solver.Lit {
	if ev.tabled || l <= solver.True {
		return l
	}
	return ev.ask().diagrams.Same(l)
}

func newProbe(c *solver.Circuit) *probe {
	return &probe{
		circuit: c,
		solver:  solver.NewSolver(c),
		random:  rand.New(rand.NewPCG(1, 2)),
		words:   []uint64{0},

		diagrams: solver.NewDiagrams(c, maxDecisions),
		valid:    map[solver.Lit]bool{},
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

// price is the work of a call of the solver, in steps of the same duration.
func (p *probe) price() int64 { return int64(16 + len(p.words)/1024) }

// ask returns the probe of the evaluation.
func (ev *evaluation) ask() *probe {
	if ev.probe == nil {
		ev.probe = newProbe(ev.circuit)
	}
	return ev.probe
}

// possible tells whether a condition holds under some schedule within the
// bounds. The first of the assignments is that without faults.
func (ev *evaluation) possible(cond solver.Lit) bool {
	if cond == solver.False || cond == solver.True {
		return cond == solver.True
	}
	if ev.tabled {
		return true
	}
	p := ev.ask()
	if p.word(cond)&1 == 1 {
		return true
	}
	cond = p.diagrams.Same(cond)
	if possible, known := p.valid[cond]; known {
		return possible
	}
	ev.asked += p.price()
	status, err := p.solver.Solve(ev.ctx, append(slices.Clone(ev.graph.Valid), cond)...)
	if err != nil {
		ev.fail(err)
	}
	p.valid[cond] = status == solver.Sat
	return p.valid[cond]
}

// possibleUnless is possible for schedules within the bounds; invalid is the condition of
// the others.
func (ev *evaluation) possibleUnless(invalid, cond solver.Lit) bool {
	if beyond, known := ev.ask().diagrams.Implies(cond, invalid); known {
		return !beyond
	}
	return ev.possible(cond)
}

// exceed tells whether some condition is not implied by its counterpart, under
// any assignment of the fault variables. What it finds to be implied the solver
// may use from then on.
func (g *grounding) exceed(conds, counterparts []solver.Lit) bool {
	if !g.tabled {
		p := g.ask()
		for i, c := range conds {
			if p.word(c)&^p.word(counterparts[i]) != 0 {
				return true
			}
		}
	}
	for i, c := range conds {
		if c != counterparts[i] && !g.implies(c, counterparts[i]) {
			return true
		}
	}
	return false
}

// implies tells whether a condition implies another, under any assignment of
// the fault variables.
func (ev *evaluation) implies(a, b solver.Lit) bool {
	if ev.tabled {
		return ev.circuit.Implies(a, b)
	}
	p := ev.ask()
	if p.word(a)&^p.word(b) != 0 {
		return false
	}
	if implied, known := p.diagrams.Implies(a, b); known {
		return implied
	}
	ev.asked += p.price()
	status, err := p.solver.Solve(ev.ctx, a, b.Not())
	if err != nil {
		ev.fail(err)
	}
	if status == solver.Unsat {
		p.solver.AssertAny(a.Not(), b)
	}
	return status == solver.Unsat
}
