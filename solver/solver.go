package solver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-air/gini/z"
)

// Status is the answer of a solver.
type Status int8

// The answers: there is no answer, there is an assignment, there is none.
const (
	Unknown Status = iota
	Sat
	Unsat
)

func (s Status) String() string {
	switch s {
	case Sat:
		return "satisfiable"
	case Unsat:
		return "unsatisfiable"
	}
	return "unknown"
}

// Solver decides whether literals of a circuit can be true together. It may be called any
// number of times, and the circuit may grow between the calls. The same calls in the same
// order give the same answers and the same models. A Solver is not safe for use by several
// goroutines at once.
type Solver struct {
	circuit *Circuit
	cnf     *cnf
	inputs  []bool // the last model, by number of the input
	values  []bool // of the nodes under that model, as far as they were needed
	core    []Lit
	calls   int

	asserted [][]Lit // one of each is to hold
	decider  Decider // in place of gini; nil: gini
}

// NewSolver is a solver for the functions of c, on which nothing is asserted yet.
func NewSolver(c *Circuit) *Solver {
	return &Solver{circuit: c, cnf: newCNF(c, dissolved)}
}

// Calls returns the number of questions to the solver so far.
func (s *Solver) Calls() int { return s.calls }

// By makes d decide every question from now on, each as a formula of its own, in place of
// gini. No literal may be asserted on the solver before.
func (s *Solver) By(d Decider) { s.decider = d }

// Assert makes l hold from now on.
func (s *Solver) Assert(l Lit) {
	s.asserted = append(s.asserted, []Lit{l})
	if s.decider == nil {
		s.cnf.assert(l)
	}
}

// AssertAny makes at least one of lits hold from now on.
func (s *Solver) AssertAny(lits ...Lit) {
	s.asserted = append(s.asserted, slices.Clone(lits))
	if s.decider == nil {
		s.cnf.assertAny(lits)
	}
}

// Solve looks for values of the inputs for which all that is asserted and all assumptions hold.
// The assumptions are for this call only. The answer is Unknown only together with an error, which
// is that of the context if it ended first, or that of the circuit if it reached its limit.
func (s *Solver) Solve(ctx context.Context, assumptions ...Lit) (Status, error) {
	status, _, err := s.try(ctx, math.MaxInt, assumptions)
	return status, err
}

// try is Solve with a limit of work: after the given number of ticks the answer is Unknown,
// without an error. spent is the number of ticks used.
func (s *Solver) try(ctx context.Context, ticks int, assumptions []Lit) (status Status, spent int, err error) {
	if err := s.circuit.Err(); err != nil {
		return Unknown, 0, err
	}
	if ctx.Err() != nil {
		return Unknown, 0, stopped(ctx)
	}
	if ticks <= 0 {
		return Unknown, 0, nil
	}
	s.calls++
	s.core = nil
	if s.decider != nil {
		status, err := s.decide(ctx, assumptions)
		return status, 0, err
	}
	assumed := make([]z.Lit, len(assumptions))
	for i, l := range assumptions {
		assumed[i] = s.cnf.lit(l)
	}
	result, spent := s.cnf.solve(ctx, ticks, assumed)
	switch {
	case result > 0:
		s.keepModel()
		return Sat, spent, nil
	case result < 0:
		s.keepCore(assumptions, assumed)
		return Unsat, spent, nil
	case ctx.Err() != nil:
		return Unknown, spent, stopped(ctx)
	case spent < ticks:
		return Unknown, spent, errors.New("solving: the solver gave up without a reason")
	}
	return Unknown, spent, nil
}

// decide is Solve by the decider, which does not report the assumptions that it needed.
func (s *Solver) decide(ctx context.Context, assumptions []Lit) (Status, error) {
	var all []Lit
	for _, clause := range s.asserted {
		all = append(all, s.circuit.Ors(clause...))
	}
	status, inputs, err := Decide(ctx, s.decider, s.circuit.Formula(append(all, assumptions...)...))
	switch status {
	case Sat:
		s.values, s.inputs = s.values[:0], inputs
	case Unsat:
		s.core = slices.DeleteFunc(slices.Clone(assumptions), func(l Lit) bool { return l == True })
	}
	return status, err
}

func stopped(ctx context.Context) error {
	return fmt.Errorf("solving: %w", context.Cause(ctx))
}

// keepModel copies the values of the inputs: gini's own change with its next clause.
func (s *Solver) keepModel() {
	s.values = s.values[:0]
	s.inputs = s.inputs[:0]
	for _, l := range s.circuit.inputs {
		m := s.cnf.known(l)
		s.inputs = append(s.inputs, m != z.LitNull && s.cnf.gini.Value(m))
	}
}

// keepCore remembers which of the assumptions gini needed for a contradiction.
func (s *Solver) keepCore(assumptions []Lit, assumed []z.Lit) {
	failed := s.cnf.gini.Why(nil)
	slices.Sort(failed)
	for i, l := range assumptions {
		if _, ok := slices.BinarySearch(failed, assumed[i]); ok && l != True && !slices.Contains(s.core, l) {
			s.core = append(s.core, l)
		}
	}
}

// Value returns the value of l in the assignment that the last call of Solve with the
// answer Sat found. Inputs on which nothing depended are false, and so are those made since
// then.
func (s *Solver) Value(l Lit) bool {
	for n := len(s.values); n <= int(l.node()); n++ {
		g, value := s.circuit.nodes[n], false
		switch {
		case n == 0:
		case g.a == isInput:
			value = int(g.b) < len(s.inputs) && s.inputs[g.b]
		default:
			value = s.values[g.a>>1] != g.a.negated() && s.values[g.b>>1] != g.b.negated()
		}
		s.values = append(s.values, value)
	}
	return s.values[l.node()] != l.negated()
}

// Core returns some of the assumptions of the last call of Solve, in their order there,
// that cannot hold together. It is valid only if the answer was Unsat; it is empty if the
// asserted literals cannot hold at all. It need not be minimal.
func (s *Solver) Core() []Lit { return slices.Clone(s.core) }

// MinimalCore solves, and if the answer is Unsat reduces the assumptions to some that cannot hold
// together although any fewer of them can. On an error with the answer Unsat it is a core that may
// not be minimal.
func (s *Solver) MinimalCore(ctx context.Context, assumptions ...Lit) ([]Lit, Status, error) {
	status, err := s.Solve(ctx, assumptions...)
	if status != Unsat {
		return nil, status, err
	}
	core := s.Core()
	for i := 0; i < len(core); {
		status, err := s.Solve(ctx, slices.Concat(core[:i], core[i+1:])...)
		switch status {
		case Unknown:
			return core, Unsat, err
		case Unsat:
			core = s.Core()
		default:
			i++
		}
	}
	return core, Unsat, nil
}
