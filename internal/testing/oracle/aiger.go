package oracle

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"
)

// Machine is a circuit with state in the AIGER format. Its literals are those of the file: inputs come first,
// then the bits of the state, then gates.
type Machine struct {
	Inputs, State []string // their names
	Next          []int
	Bad           int
	Gates         [][3]int // of which the first is the AND of the others
}

// ReadMachine reads a file with one output in the AIGER format, as text or binary (Biere, "The AIGER
// And-Inverter Graph (AIG) Format", 2007).
func ReadMachine(file []byte) (*Machine, error) {
	header, rest, _ := bytes.Cut(file, []byte("\n"))
	var form string
	var most, inputs, state, outputs, gates int
	_, err := fmt.Sscanf(string(header), "%s %d %d %d %d %d", &form, &most, &inputs, &state, &outputs, &gates)
	if err != nil {
		return nil, err
	}
	if most != inputs+state+gates || outputs != 1 || form != "aag" && form != "aig" {
		return nil, fmt.Errorf("%s is not the header of a circuit with one output", header)
	}
	m := &Machine{Inputs: make([]string, inputs), State: make([]string, state)}
	line := func(numbers ...*int) (err error) {
		var text []byte
		text, rest, _ = bytes.Cut(rest, []byte("\n"))
		words := strings.Fields(string(text))
		if len(words) != len(numbers) {
			return fmt.Errorf("%q has not %d numbers", text, len(numbers))
		}
		for i, word := range words {
			if *numbers[i], err = strconv.Atoi(word); err != nil {
				return err
			}
		}
		return nil
	}
	expected := func(is, should int) error {
		if is != should {
			return fmt.Errorf("literal %d comes where %d should", is, should)
		}
		return nil
	}
	for i := range inputs + state {
		var l, next int
		var err error
		switch {
		case form == "aig" && i < inputs:
			continue
		case form == "aig":
			l, err = 2*i+2, line(&next)
		case i < inputs:
			err = line(&l)
		default:
			err = line(&l, &next)
		}
		if err := errors.Join(err, expected(l, 2*i+2)); err != nil {
			return nil, err
		}
		if i >= inputs {
			m.Next = append(m.Next, next)
		}
	}
	if err := line(&m.Bad); err != nil {
		return nil, err
	}
	for i := range gates {
		g := [3]int{2 * (inputs + state + i + 1)}
		if form == "aag" {
			l := 0
			if err := errors.Join(line(&l, &g[1], &g[2]), expected(l, g[0])); err != nil {
				return nil, err
			}
		} else {
			g[1] = g[0] - delta(&rest)
			g[2] = g[1] - delta(&rest)
		}
		if g[0] <= g[1] || g[1] < g[2] || g[2] < 0 {
			return nil, fmt.Errorf("gate %v is not in order", g)
		}
		m.Gates = append(m.Gates, g)
	}
	for _, l := range append(slices.Clone(m.Next), m.Bad) {
		if l < 0 || l > 2*most+1 {
			return nil, fmt.Errorf("there is no literal %d", l)
		}
	}
	return m, m.name(string(rest))
}

// delta reads a number of the binary form.
func delta(rest *[]byte) (n int) {
	for shift := 0; len(*rest) > 0; shift += 7 {
		b := (*rest)[0]
		*rest = (*rest)[1:]
		n |= int(b&0x7f) << shift
		if b < 0x80 {
			break
		}
	}
	return n
}

// name reads the names behind the circuit.
func (m *Machine) name(symbols string) error {
	for text := range strings.Lines(symbols) {
		text = strings.TrimSuffix(text, "\n")
		if text == "c" {
			return nil
		}
		symbol, name, _ := strings.Cut(text, " ")
		of := map[byte][]string{'i': m.Inputs, 'l': m.State, 'o': {""}}[symbol[0]]
		if i, err := strconv.Atoi(symbol[1:]); err != nil || i >= len(of) {
			return fmt.Errorf("%s names nothing", symbol)
		} else {
			of[i] = name
		}
	}
	return nil
}

// Run is one step from 64 states at once, each a bit of the words, with as many inputs.
func (m *Machine) Run(inputs, state []uint64) (next []uint64, bad uint64) {
	values := make([]uint64, 1, 1+len(inputs)+len(state)+len(m.Gates))
	values = append(append(values, inputs...), state...)
	of := func(l int) uint64 { return values[l/2] ^ -uint64(l&1) }
	for _, g := range m.Gates {
		values = append(values, of(g[1])&of(g[2]))
	}
	for _, l := range m.Next {
		next = append(next, of(l))
	}
	return next, of(m.Bad)
}

// Invariant reads the clauses of an invariant at the beginning of a formula about a machine. Their literals are
// those of the machine.
func (m *Machine) Invariant(formula []byte) (invariant [][]int, err error) {
	clauses, err := readFormula(formula)
	if err != nil {
		return nil, err
	}
	first := len(m.Inputs) + len(m.State) + len(m.Gates) + 1
	for _, clause := range clauses {
		if clause[len(clause)-1] != first {
			break
		}
		var lits []int
		for _, l := range clause[:len(clause)-1] {
			lit := 2 * l
			if l < 0 {
				lit = -2*l + 1
			}
			if lit/2 <= len(m.Inputs) || lit/2 > len(m.Inputs)+len(m.State) {
				return nil, fmt.Errorf("variable %d is no bit of the state", l)
			}
			lits = append(lits, lit)
		}
		invariant = append(invariant, lits)
	}
	return invariant, nil
}

// Refute says why clauses are no invariant that shows that the machine is never bad; "" if they are.
func (m *Machine) Refute(invariant [][]int) string {
	for _, clause := range invariant {
		if !slices.ContainsFunc(clause, func(l int) bool { return l&1 == 1 }) {
			return "false at first"
		}
	}
	g := gini.New()
	variables := []z.Lit{g.Lit()} // that is true
	clause := func(lits ...z.Lit) {
		for _, l := range lits {
			g.Add(l)
		}
		g.Add(z.LitNull)
	}
	clause(variables[0])
	variables[0] = variables[0].Not()
	of := func(l int) z.Lit {
		if l&1 == 1 {
			return variables[l/2].Not()
		}
		return variables[l/2]
	}
	for range len(m.Inputs) + len(m.State) + len(m.Gates) {
		variables = append(variables, g.Lit())
	}
	for _, gate := range m.Gates {
		clause(of(gate[0]).Not(), of(gate[1]))
		clause(of(gate[0]).Not(), of(gate[2]))
		clause(of(gate[0]), of(gate[1]).Not(), of(gate[2]).Not())
	}
	for _, lits := range invariant {
		var all []z.Lit
		for _, l := range lits {
			all = append(all, of(l))
		}
		clause(all...)
	}
	g.Assume(of(m.Bad))
	if g.Solve() == 1 {
		return "allows a bad step"
	}
	for _, lits := range invariant {
		for _, l := range lits {
			g.Assume(of(m.Next[l/2-len(m.Inputs)-1] ^ l&1 ^ 1))
		}
		if g.Solve() == 1 {
			return "not kept"
		}
	}
	return ""
}

// Satisfiable tells whether a formula in the DIMACS format can be satisfied.
func Satisfiable(formula []byte) (bool, error) {
	clauses, err := readFormula(formula)
	if err != nil {
		return false, err
	}
	g := gini.New()
	for _, clause := range clauses {
		for _, l := range clause {
			g.Add(z.Dimacs2Lit(l))
		}
		g.Add(z.LitNull)
	}
	return g.Solve() == 1, nil
}
