package solver

import (
	"context"
	"fmt"
)

// Decider decides one formula at a time and keeps nothing between them. It allows another
// SAT solver in place of gini.
type Decider interface {
	// Decide says whether a formula can be satisfied, and if so by which values of its variables.
	// The answer is Unknown only together with an error, which is that of the context if it ended
	// first.
	Decide(ctx context.Context, f *Formula) (Status, Model, error)
}

// Model has the values of the variables of a formula: element i is 1 if variable i+1 is
// true and -1 if it is false. Other variables (0, or beyond the end) may be either.
type Model []int8

// of returns the value of variable v in the model.
func (m Model) of(v int) int8 {
	if v > len(m) {
		return 0
	}
	return m[v-1]
}

// Decide decides by d whether the formula f can be satisfied, and if so returns the values
// of the inputs of its circuit. It returns an error if these values do not satisfy f.
func Decide(ctx context.Context, d Decider, f *Formula) (Status, []bool, error) {
	if err := f.circuit.Err(); err != nil {
		return Unknown, nil, err
	}
	if ctx.Err() != nil {
		return Unknown, nil, stopped(ctx)
	}
	status, model, err := d.Decide(ctx, f)
	if status != Sat {
		return status, nil, err
	}
	inputs := make([]bool, len(f.circuit.inputs))
	for i := range inputs {
		inputs[i] = model.of(i+1) == 1
	}
	if err := f.check(inputs, model); err != nil {
		return Unknown, nil, fmt.Errorf("solving: the solver says that the formula can be satisfied, by a model that does not: %w", err)
	}
	return Sat, inputs, nil
}

// check evaluates the gates, and compares them with a model.
func (f *Formula) check(inputs []bool, model Model) error {
	values := make([]bool, len(f.variables))
	for i, l := range f.circuit.inputs {
		values[l.node()] = inputs[i]
	}
	value := func(l Lit) bool { return values[l.node()] != l.negated() }
	for _, n := range f.gates {
		g := f.circuit.nodes[n]
		values[n] = value(g.a) && value(g.b)
		says := model.of(f.variables[n])
		if says != 0 && (says == 1) != values[n] {
			return fmt.Errorf("variable %d is %v there, and by its clauses %v", f.variables[n], says == 1, values[n])
		}
	}
	for _, l := range f.lits {
		if l == False {
			return fmt.Errorf("the formula has the empty clause")
		}
		if !value(l) {
			return fmt.Errorf("clause %d does not hold", f.literal(l))
		}
	}
	return nil
}

// GaveUpError reports a decider that ended without an answer.
type GaveUpError struct{}

func (*GaveUpError) Error() string { return "gave up: it says that the answer is unknown" }
