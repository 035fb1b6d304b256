package ldfi

import (
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/solver"
)

// batch evaluates the conditions of a question for up to 64 sets of fault units at
// a time, each in a place of its own: bit i of every word belongs to set i.
type batch struct {
	question *question
	words    *solver.Words
	number   []int    // of the circuit's input of each fault unit, or of a constant
	constant []bool   // what units are that are constants; they are numbered behind the inputs
	inputs   []uint64 // of the circuit, and the constants
	bad      solver.Lit
}

// newBatch evaluates whether a set is a schedule within the bounds under which all
// of some conditions hold.
func newBatch(q *question, target []solver.Lit) *batch {
	c := q.graph.Circuit
	bad := c.Ands(slices.Concat(q.graph.Valid, target)...)
	roots := []solver.Lit{bad}
	for _, g := range q.goals {
		roots = append(roots, g.broken)
	}
	b := &batch{
		question: q,
		words:    solver.NewWords(c, roots...),
		inputs:   make([]uint64, c.Inputs()),
		bad:      bad,
	}
	for _, input := range q.graph.Inputs {
		_, _, _, number := c.Node(input)
		if input == solver.False || input == solver.True {
			number = len(b.inputs)
			b.constant = append(b.constant, input == solver.True)
			b.inputs = append(b.inputs, 0)
		}
		b.number = append(b.number, number)
	}
	return b
}

// eval returns in which places the set of units is a schedule within the bounds
// that is searched for.
func (b *batch) eval(sets [][]int) uint64 {
	for i, units := range sets {
		b.load(i, units)
	}
	return b.evalLoaded(len(sets))
}

// load puts a set of units in the i-th place, for evalLoaded.
func (b *batch) load(i int, units []int) {
	for _, unit := range units {
		b.inputs[b.number[unit]] |= 1 << i
	}
}

// evalLoaded is eval for the sets in the first n places, which it empties.
func (b *batch) evalLoaded(n int) uint64 {
	b.words.Eval(b.inputs)
	possible := b.possible()
	clear(b.inputs)
	return b.words.Value(b.bad) & possible & (1<<n - 1)
}

// possible returns in which places the units that are constants are what they are.
func (b *batch) possible() uint64 {
	possible := ^uint64(0)
	behind := b.inputs[len(b.inputs)-len(b.constant):]
	for i, on := range b.constant {
		if on {
			possible &= behind[i]
		} else {
			possible &^= behind[i]
		}
	}
	return possible
}

// violations returns what a set of units breaks, as the circuit has it.
func (b *batch) violations(units []int) []result.Violation {
	b.eval([][]int{units})
	var broken []result.Violation
	for _, g := range b.question.goals {
		if b.words.Value(g.broken)&1 == 1 {
			broken = append(broken, g.violation)
		}
	}
	return broken
}

// agree compares what an execution broke with what the circuit says.
func (q *question) agree(units []int, executed []result.Violation) error {
	expected := q.batch.violations(units)
	if slices.EqualFunc(expected, executed, sameViolation) {
		return nil
	}
	return &internalError{
		Schedule: q.scheduleOf(units),
		Circuit:  describe(expected, q.bounds),
		Executor: describe(executed, q.bounds),
	}
}

func sameViolation(a, b result.Violation) bool {
	return a.Missing == b.Missing && a.Fact.Compare(b.Fact) == 0
}
