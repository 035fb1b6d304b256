package solver

import "context"

// After tells whether bad can be true in a step after so many steps from the first state; in these
// steps, and in the last, stop is false. It unrolls the steps, and is meant for few of them.
func (t *Transitions) After(ctx context.Context, steps int, bad, stop Lit) (bool, error) {
	c := NewCircuit(0)
	state := make([]Lit, len(t.State)) // all false
	roots := append([]Lit{t.Valid, stop, bad}, t.Next...)
	asserted := []Lit{}
	for i := range steps + 1 {
		inputs := make([]Lit, t.Circuit.Inputs())
		for j := range inputs {
			inputs[j] = c.Input()
		}
		for j, l := range t.State {
			_, _, _, number := t.Circuit.Node(l)
			inputs[number] = state[j]
		}
		made := c.Graft(t.Circuit, inputs, roots...)
		asserted = append(asserted, made[0], made[1].Not())
		if i == steps {
			asserted = append(asserted, made[2])
		}
		state = made[3:]
	}
	s := NewSolver(c)
	for _, l := range asserted {
		s.Assert(l)
	}
	status, err := s.Solve(ctx)
	return status == Sat, err
}
