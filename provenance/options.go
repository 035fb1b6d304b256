package provenance

import (
	"sync/atomic"

	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Options say how far Evaluate goes. The zero value evaluates everything
// without limits, but for that of memory, which is one of the context or half of what
// the machine has.
type Options struct {
	Only     []string        // evaluate only these relations and what they depend on; nil: all
	Last     []string        // of these among Only just the last round is asked for; what no such fact depends on is left out then
	Messages bool            // also find out what is sent (Graph.Sends), whether it arrives or not
	MaxFacts int             // stop at more possible facts, or three times as many firings; 0: no limit
	MaxGates int             // stop when the circuit has more gates; 0: no limit
	Progress func(round int) // called when the facts of a round are next

	// Whether has relations of which it matters only whether they have a fact in a
	// round, with a number of facts. When there are so many in all rounds before, a
	// round has none of them, but Graph.Whole. That goes for relations that no rule
	// reads, and that are derived by rules that have no aggregate and speak about
	// one round; others are evaluated as ever.
	Whether map[string]int

	// Further facts may hold or not: each has a variable of its own, behind those
	// of the faults (Graph.Further). They are of relations that no rule derives.
	// Those of others, with another number of columns, or of rounds beyond the
	// bounds make no difference.
	Further []recording.Fact

	// Among are the only schedules that count, as sets of fault units (choices, too)
	// in ascending order, in any order and without repetitions; nil: all within the
	// bounds. They may exceed the budgets, and what the bounds take for granted, but
	// have to make sense: nobody restarts who is up, and nobody crashes twice.
	//
	// Then the circuit is over these schedules (solver.NewTabled): assignment i is that
	// of Among[i], facts that none of them gives are not there, and a function that is
	// False is true under none of them. No solver is asked. Graph.Valid is empty, and
	// Graph.Inputs are whatever functions the units are: constants, equal ones, the
	// negations of others. Graph.Under knows these schedules, and no others.
	Among [][]int

	// Given fixes fault units: they are constants in the circuit, and so are those
	// that by a limit of the bounds cannot be on then; Graph.Inputs says what each unit
	// is. Of such a part of the schedules everything is as of all. Not with Among. A
	// part that has no schedule is no error: one of Graph.Valid is False then.
	Given []Given

	// MaxSteps is how much work the evaluation may be: matching steps, firings, gates
	// (of a tabled circuit a step for each word of a truth table), and what solvers are
	// asked. MaxRecursion is the same for the work within one recursive component. At
	// the end of either the error is a *refusal.LimitError whose What is StepsOfWork or
	// StepsOfRecursion. 0: no limit. They do not depend on the machine.
	MaxSteps, MaxRecursion int64

	// Work, if it is not nil, has how much work was done so far, by the same measure.
	// It may be read while the evaluation goes on.
	Work *atomic.Int64
}

// What limits are called in a *refusal.LimitError: those on work; those that a higher
// MaxFacts raises, of which the last begins so.
const (
	StepsOfWork      = "steps of work"
	StepsOfRecursion = "steps of work in one recursion"
	StepsOfMatching  = "steps of matching rules"
	PossibleValues   = "possible values of "
)

// Given fixes a fault unit: it is on, or off, in all schedules that are evaluated.
type Given struct {
	Unit int
	On   bool
}
