package solver

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
)

// Certificate is an invariant that shows that no step of a transition system is ever bad, in the forms
// that other tools check:
//
//   - Model is the system as a circuit in the AIGER format, whose output is true in a bad step.
//   - Witness is the same circuit with a stronger property, which each step keeps: no step is bad, and the invariant
//     holds. Certifaiger checks it as a witness circuit (Yu, Biere and Heljanko, "Progress in certifying hardware model
//     checking results", CAV 2021).
//   - Formula says in the DIMACS format that the invariant is none. It cannot be satisfied.
//
// In the circuit each step is there: one that was not valid leads to the first state.
type Certificate struct {
	Transitions *Transitions
	Invariant   [][]StateBit
	Names       map[Lit]string // of the bits of the state, and of inputs
	Clauses     []string       // what each clause of the invariant says
}

// aiger is a circuit with state. In AIGER its inputs are the first variables, then come the bits of the state,
// then the gates.
type aiger struct {
	circuit       *Circuit
	inputs, state []Lit
	names         []string // of both
	next          []Lit
	bad           Lit

	gates     []uint32 // that are needed, each after those on which it depends
	variables []uint   // by node
}

// circuit makes the circuit of the system; a stronger property includes the invariant.
func (c *Certificate) circuit(stronger bool) *aiger {
	t := c.Transitions
	a := &aiger{circuit: NewCircuit(0)}
	roots := append(slices.Clone(t.Next), t.Valid, t.Bad)
	needed := t.Circuit.cone(roots)
	inputs := make([]Lit, len(t.Circuit.inputs))
	add := func(l Lit, to *[]Lit) {
		_, _, _, number := t.Circuit.Node(l)
		inputs[number] = a.circuit.Input()
		*to, a.names = append(*to, inputs[number]), append(a.names, c.Names[l])
	}
	for _, l := range t.Circuit.inputs {
		if needed[l.node()] && !slices.Contains(t.State, l) {
			add(l, &a.inputs)
		}
	}
	for _, l := range t.State {
		add(l, &a.state)
	}
	grafted := a.circuit.Graft(t.Circuit, inputs, roots...)
	next, valid, bad := grafted[:len(t.Next)], grafted[len(t.Next)], grafted[len(t.Next)+1]
	for _, l := range next {
		a.next = append(a.next, a.circuit.And(valid, l))
	}
	a.bad = a.circuit.And(valid, bad)
	if stronger {
		a.bad = a.circuit.Or(a.bad, a.holds(c.Invariant).Not())
	}
	a.number()
	return a
}

// holds says that all clauses hold.
func (a *aiger) holds(invariant [][]StateBit) Lit {
	var all []Lit
	for _, clause := range invariant {
		var lits []Lit
		for _, b := range clause {
			l := a.state[b.Bit]
			if !b.Value {
				l = l.Not()
			}
			lits = append(lits, l)
		}
		all = append(all, a.circuit.Ors(lits...))
	}
	return a.circuit.Ands(all...)
}

// number gives each input, bit and gate its variable.
func (a *aiger) number() {
	a.variables = make([]uint, len(a.circuit.nodes))
	for i, l := range a.circuit.inputs {
		a.variables[l.node()] = uint(i + 1)
	}
	needed := a.circuit.cone(append(slices.Clone(a.next), a.bad))
	for n := 1; n < len(needed); n++ {
		if needed[n] && a.circuit.nodes[n].a != isInput {
			a.gates = append(a.gates, uint32(n))
			a.variables[n] = uint(len(a.circuit.inputs) + len(a.gates))
		}
	}
}

// literal is the number of a literal in AIGER: twice its variable, and one more if it is negated.
func (a *aiger) literal(l Lit) uint { return 2*a.variables[l.node()] + uint(l&1) }

// Model writes the circuit of the system, as text or in the binary form of AIGER.
func (c *Certificate) Model(w io.Writer, binary bool) error {
	out := bufio.NewWriter(w)
	a := c.circuit(false)
	a.write(out, binary)
	a.symbols(out, "bad", func(i int) string { return a.names[i] })
	return out.Flush()
}

// Witness writes the circuit with the stronger property. Names of its inputs and bits begin with what
// they are in the model, which has been written.
func (c *Certificate) Witness(w io.Writer, binary bool, name string, model []byte) error {
	out := bufio.NewWriter(w)
	a := c.circuit(true)
	a.write(out, binary)
	a.symbols(out, "bad, or outside of the invariant", func(i int) string {
		if a.names[i] == "" {
			return fmt.Sprintf("= %d", 2*i+2)
		}
		return fmt.Sprintf("= %d %s", 2*i+2, a.names[i])
	})
	fmt.Fprintf(out, "c\nWITNESS o0 %s sha256 %x\n", name, sha256.Sum256(model))
	return out.Flush()
}

// write writes the circuit without names.
func (a *aiger) write(out *bufio.Writer, binary bool) {
	form, inputs := "aag", len(a.circuit.inputs)
	if binary {
		form = "aig"
	}
	fmt.Fprintf(out, "%s %d %d %d 1 %d\n", form, inputs+len(a.gates), len(a.inputs), len(a.state), len(a.gates))
	for i := range a.inputs {
		if !binary {
			fmt.Fprintf(out, "%d\n", a.literal(a.inputs[i]))
		}
	}
	for i, l := range a.next {
		if !binary {
			fmt.Fprintf(out, "%d ", a.literal(a.state[i]))
		}
		fmt.Fprintf(out, "%d\n", a.literal(l))
	}
	fmt.Fprintf(out, "%d\n", a.literal(a.bad))
	for _, n := range a.gates {
		gate, larger, smaller := a.gate(n)
		if binary {
			writeDelta(out, gate-larger)
			writeDelta(out, larger-smaller)
		} else {
			fmt.Fprintf(out, "%d %d %d\n", gate, larger, smaller)
		}
	}
}

// gate has the literals of a gate and of the two whose AND it is, the larger first.
func (a *aiger) gate(n uint32) (gate, larger, smaller uint) {
	g := a.circuit.nodes[n]
	x, y := a.literal(g.a), a.literal(g.b)
	return 2 * a.variables[n], max(x, y), min(x, y)
}

// writeDelta writes a number seven bits at a time, the lowest first; all bytes but the last have the highest bit.
func writeDelta(out *bufio.Writer, n uint) {
	for ; n > 0x7f; n >>= 7 {
		out.WriteByte(byte(n) | 0x80)
	}
	out.WriteByte(byte(n))
}

// symbols writes the names of inputs, bits and the output.
func (a *aiger) symbols(out *bufio.Writer, bad string, name func(i int) string) {
	for i := range a.circuit.inputs {
		kind, at := 'i', i
		if i >= len(a.inputs) {
			kind, at = 'l', i-len(a.inputs)
		}
		if name := name(i); name != "" {
			fmt.Fprintf(out, "%c%d %s\n", kind, at, name)
		}
	}
	fmt.Fprintf(out, "o0 %s\n", bad)
}

// Formula writes the formula that says that the invariant is none: a clause of it is false at first, or a step from
// where all hold is bad, or leads to where one does not hold. Its first variables are those of the model. The
// next says that the question is about the first state; without it, all clauses of the invariant hold. The first
// clauses of the formula are those of the invariant, each with that variable as its last literal.
func (c *Certificate) Formula(w io.Writer, name string, model []byte) error {
	out := bufio.NewWriter(w)
	a := c.circuit(false)
	last := len(a.circuit.inputs) + len(a.gates)
	fmt.Fprintf(out, "c cannot be satisfied if the invariant of %s is one (sha256 %x)\n", name, sha256.Sum256(model))
	fmt.Fprintf(out, "c variables 1 to %d: inputs, latches and gates of the circuit\n", last)
	fmt.Fprintf(out, "c variable %d: the question is about the beginning\n", last+1)
	fmt.Fprintf(out, "c clauses 1 to %d: the invariant, each with %d as its last literal\n", len(c.Invariant), last+1)
	for i, name := range a.names {
		if name != "" {
			fmt.Fprintf(out, "c %d %s\n", i+1, name)
		}
	}
	for i, clause := range c.Clauses {
		fmt.Fprintf(out, "c clause %d: %s\n", i+1, clause)
	}
	clauses, variables := a.outside(c.Invariant)
	fmt.Fprintf(out, "p cnf %d %d\n", variables, len(clauses))
	for _, clause := range clauses {
		for _, l := range clause {
			fmt.Fprintf(out, "%d ", l)
		}
		fmt.Fprintln(out, "0")
	}
	return out.Flush()
}

// outside has the clauses of the formula, and the number of its variables.
func (a *aiger) outside(invariant [][]StateBit) (clauses [][]int, variables int) {
	first := len(a.circuit.inputs) + len(a.gates) + 1
	add := func(lits ...int) { clauses = append(clauses, lits) }
	now := func(b StateBit) int {
		l := len(a.inputs) + b.Bit + 1
		if b.Value {
			return l
		}
		return -l
	}
	for _, clause := range invariant {
		var lits []int
		for _, b := range clause {
			lits = append(lits, now(b))
		}
		add(append(lits, first)...)
	}
	for _, n := range a.gates {
		gate, x, y := a.gate(n)
		v, l, r := signedVariable(gate), signedVariable(x), signedVariable(y)
		add(-v, l)
		add(-v, r)
		add(v, -l, -r)
	}
	for bit := range a.state {
		add(-first, now(StateBit{bit, false}))
	}
	variables = first
	var wrong []int
	for _, clause := range invariant {
		variables++
		wrong = append(wrong, variables)
		for _, b := range clause {
			add(-variables, -first, -now(b))
			switch next := a.next[b.Bit]; {
			case next == True && b.Value, next == False && !b.Value:
				add(-variables, first)
			case next > True:
				l := signedVariable(a.literal(next))
				if b.Value {
					l = -l
				}
				add(-variables, first, l)
			}
		}
	}
	switch {
	case a.bad > True:
		wrong = append(wrong, signedVariable(a.literal(a.bad)))
	case a.bad == True:
		return clauses, variables
	}
	add(wrong...)
	return clauses, variables
}

// signedVariable is the number in DIMACS of a literal in AIGER.
func signedVariable(literal uint) int {
	if literal&1 == 1 {
		return -int(literal / 2)
	}
	return int(literal / 2)
}
