package solver

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// WriteDIMACS writes that all of lits hold as a formula in conjunctive normal form, in the DIMACS
// format. Input i of the circuit is variable i+1, under the name that name gives it in a comment;
// the gates on which lits depend are the variables behind them, each defined by three clauses in
// both directions (G. S. Tseitin, On the complexity of derivation in propositional calculus, 1968).
// So each assignment of the inputs has exactly one extension to the gates, and is a model with it
// exactly if lits hold. The line "c p show" lists the inputs, for model counters.
func (c *Circuit) WriteDIMACS(w io.Writer, lits []Lit, name func(input int) string) error {
	f := dimacs{circuit: c, variables: make([]int, len(c.nodes))}
	for i, l := range c.inputs {
		f.variables[l.node()] = i + 1
	}
	f.count = len(c.inputs)
	f.define(lits)
	for _, l := range lits {
		f.assert(l)
	}
	out := bufio.NewWriter(w)
	for i := range c.inputs {
		fmt.Fprintf(out, "c %d %s\n", i+1, name(i))
	}
	fmt.Fprintf(out, "p cnf %d %d\nc p show", f.count, f.clauses)
	for i := range c.inputs {
		fmt.Fprintf(out, " %d", i+1)
	}
	fmt.Fprintf(out, " 0\n%s", f.text.String())
	return out.Flush()
}

// dimacs writes clauses, and knows the variable of each node that has one.
type dimacs struct {
	circuit        *Circuit
	variables      []int
	count, clauses int
	text           strings.Builder
}

func (f *dimacs) clause(literals ...int) {
	f.clauses++
	for _, l := range literals {
		fmt.Fprintf(&f.text, "%d ", l)
	}
	f.text.WriteString("0\n")
}

func (f *dimacs) literal(l Lit) int {
	if l.negated() {
		return -f.variables[l.node()]
	}
	return f.variables[l.node()]
}

// assert makes a literal hold. That False does is the empty clause.
func (f *dimacs) assert(l Lit) {
	switch l {
	case True:
	case False:
		f.clause()
	default:
		f.clause(f.literal(l))
	}
}

// define gives a variable to each gate on which literals depend. A gate depends on nodes before it.
func (f *dimacs) define(lits []Lit) {
	needed := make([]bool, len(f.circuit.nodes))
	for _, l := range lits {
		needed[l.node()] = true
	}
	for n := len(needed) - 1; n > 0; n-- {
		if g := f.circuit.nodes[n]; needed[n] && g.a != isInput {
			needed[g.a.node()], needed[g.b.node()] = true, true
		}
	}
	for n := 1; n < len(needed); n++ {
		if needed[n] && f.circuit.nodes[n].a != isInput {
			f.gate(uint32(n))
		}
	}
}

// gate defines a gate: it holds exactly if both of its sides do.
func (f *dimacs) gate(n uint32) {
	f.count++
	f.variables[n] = f.count
	a, b := f.literal(f.circuit.nodes[n].a), f.literal(f.circuit.nodes[n].b)
	f.clause(-f.count, a)
	f.clause(-f.count, b)
	f.clause(f.count, -a, -b)
}
