package solver

import (
	"bufio"
	"fmt"
	"io"
)

// Formula states in conjunctive normal form that some literals of a circuit hold. Input i
// of the circuit is variable i+1; the gates on which the literals depend are the variables
// after these, each defined by three clauses in both directions (G. S. Tseitin, On the
// complexity of derivation in propositional calculus, 1968). So each assignment of the
// inputs has exactly one extension to the gates, and the extended assignment is a model
// exactly if the literals hold.
type Formula struct {
	Head string                 // a line of comment; "": none
	Name func(input int) string // of an input, in a comment; nil: there are no such comments

	circuit   *Circuit
	lits      []Lit
	gates     []uint32 // on which the literals depend, each after those that it depends on
	variables []int    // by node; 0: it has none
}

// Formula returns the formula that says that all of lits hold.
func (c *Circuit) Formula(lits ...Lit) *Formula {
	f := &Formula{circuit: c, lits: lits, variables: make([]int, len(c.nodes))}
	for i, l := range c.inputs {
		f.variables[l.node()] = i + 1
	}
	f.define()
	return f
}

// define gives a variable to each gate on which the literals depend. A gate depends on nodes before
// it.
func (f *Formula) define() {
	needed := f.circuit.cone(f.lits)
	for n := 1; n < len(needed); n++ {
		if needed[n] && f.circuit.nodes[n].a != isInput {
			f.gates = append(f.gates, uint32(n))
			f.variables[n] = len(f.circuit.inputs) + len(f.gates)
		}
	}
}

// Variables returns the number of variables of the formula.
func (f *Formula) Variables() int { return len(f.circuit.inputs) + len(f.gates) }

// Clauses returns the number of clauses of the formula.
func (f *Formula) Clauses() int {
	count := 3 * len(f.gates)
	for _, l := range f.lits {
		if l != True {
			count++
		}
	}
	return count
}

// WriteDIMACS writes the formula in the DIMACS format. The line "c p show" lists the inputs, for
// model counters.
func (f *Formula) WriteDIMACS(w io.Writer) error {
	out := bufio.NewWriter(w)
	if f.Head != "" {
		fmt.Fprintf(out, "c %s\n", f.Head)
	}
	for i := range f.circuit.inputs {
		if f.Name != nil {
			fmt.Fprintf(out, "c %d %s\n", i+1, f.Name(i))
		}
	}
	fmt.Fprintf(out, "p cnf %d %d\nc p show", f.Variables(), f.Clauses())
	for i := range f.circuit.inputs {
		fmt.Fprintf(out, " %d", i+1)
	}
	fmt.Fprint(out, " 0\n")
	for _, n := range f.gates {
		g, v := f.circuit.nodes[n], f.variables[n]
		a, b := f.literal(g.a), f.literal(g.b)
		fmt.Fprintf(out, "%d %d 0\n%d %d 0\n%d %d %d 0\n", -v, a, -v, b, v, -a, -b)
	}
	for _, l := range f.lits {
		f.assert(out, l)
	}
	return out.Flush()
}

// assert writes that a literal holds. That False does is the empty clause.
func (f *Formula) assert(out io.Writer, l Lit) {
	switch l {
	case True:
	case False:
		fmt.Fprint(out, "0\n")
	default:
		fmt.Fprintf(out, "%d 0\n", f.literal(l))
	}
}

// literal is the number of a literal that is no constant.
func (f *Formula) literal(l Lit) int {
	if l.negated() {
		return -f.variables[l.node()]
	}
	return f.variables[l.node()]
}
