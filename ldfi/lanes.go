package ldfi

import (
	"slices"

	"github.com/lineage-driven/ldfi/solver"
)

// lanes evaluates the conditions of a trial for up to 64 sets of fault units at
// a time, each in a lane of its own: bit i of every word belongs to set i.
type lanes struct {
	trial  *trial
	words  *solver.Words
	number []int    // of the circuit's input of each fault unit
	inputs []uint64 // of the circuit
	bad    solver.Lit
}

func newLanes(t *trial) *lanes {
	c := t.graph.Circuit
	bad := c.Ands(slices.Concat(t.graph.Valid, t.target)...)
	roots := []solver.Lit{bad}
	for _, g := range t.goals {
		roots = append(roots, g.broken)
	}
	l := &lanes{
		trial:  t,
		words:  solver.NewWords(c, roots...),
		inputs: make([]uint64, c.Inputs()),
		bad:    bad,
	}
	for _, input := range t.graph.Inputs {
		_, _, _, number := c.Node(input)
		l.number = append(l.number, number)
	}
	return l
}

// eval returns in which lanes the set of units is a schedule within the bounds
// that is searched for.
func (l *lanes) eval(sets [][]int) uint64 {
	for lane, units := range sets {
		l.load(lane, units)
	}
	return l.evalLoaded(len(sets))
}

// load puts a set of units in a lane, for evalLoaded.
func (l *lanes) load(lane int, units []int) {
	for _, unit := range units {
		l.inputs[l.number[unit]] |= 1 << lane
	}
}

// evalLoaded is eval for the sets in the first n lanes, which it empties.
func (l *lanes) evalLoaded(n int) uint64 {
	l.words.Eval(l.inputs)
	clear(l.inputs)
	return l.words.Value(l.bad) & (1<<n - 1)
}

// violations returns what a set of units breaks, as the circuit has it.
func (l *lanes) violations(units []int) []Violation {
	l.eval([][]int{units})
	var broken []Violation
	for _, g := range l.trial.goals {
		if l.words.Value(g.broken)&1 == 1 {
			broken = append(broken, g.violation)
		}
	}
	return broken
}

// agree compares what an execution broke with what the circuit says.
func (t *trial) agree(units []int, executed []Violation) error {
	expected := t.lanes.violations(units)
	if slices.EqualFunc(expected, executed, sameViolation) {
		return nil
	}
	return &InternalError{
		Schedule: t.scheduleOf(units),
		Circuit:  t.describe(expected),
		Executor: t.describe(executed),
	}
}

func sameViolation(a, b Violation) bool {
	return a.Missing == b.Missing && a.Fact.Compare(b.Fact) == 0
}

// describe puts violations into words.
func (t *trial) describe(broken []Violation) string {
	if len(broken) == 0 {
		return "the promise holds"
	}
	return texts(broken, t.bounds.Processes)
}

// texts joins the sentences of violations.
func texts(broken []Violation, processes []string) string {
	all := ""
	for i, v := range broken {
		if i > 0 {
			all += "; "
		}
		all += v.Text(processes)
	}
	return all
}
