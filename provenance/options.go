package provenance

import (
	"sync/atomic"

	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// Options limit the evaluation. The zero value evaluates everything without limits, except
// for memory, whose limit is that of the context or half of the machine's.
type Options struct {
	Only     []string        // evaluate only these relations and those they depend on; nil: all
	Last     []string        // relations of Only that are needed in the last round only; facts on which no needed fact depends are left out
	Messages bool            // also find the messages sent (Graph.Sends), whether they arrive or not
	MaxFacts int             // stop at more possible facts, or three times as many firings; 0: no limit
	MaxGates int             // stop when the circuit has more gates; 0: no limit
	Progress func(round int) // called when the facts of a round are next

	// Whether has relations for which it matters only whether they have a fact in a round,
	// each with a number of facts. If the rounds before have that many facts, a round has
	// no facts of the relation, only Graph.Whole. This applies to relations that no rule
	// reads, and whose rules have no aggregate and speak about one round; others are
	// evaluated as usual.
	Whether map[string]int

	// Further facts may hold or not: each has a variable of its own, after those of the
	// faults (Graph.Further). Their relations have no rules. Facts of other relations, with
	// another number of columns, or of rounds beyond the bounds are ignored.
	Further []recording.Fact

	// Among are the only schedules that count, as sets of fault units (choices, too) in
	// ascending order, in any order and without repetitions; nil: all within the bounds.
	// They may exceed the budgets and contradict the assumptions of the bounds, but have to
	// be possible: no process restarts while it is up, and none crashes twice.
	//
	// Then the circuit is over these schedules (solver.NewTabled): assignment i is that of
	// Among[i], facts that none of them gives are missing, and a function that is False is
	// true under none of them. No solver is used. Graph.Valid is empty, and Graph.Inputs may
	// have any functions: constants, equal ones, or negations of others. Graph.Under knows
	// these schedules, and no others.
	Among [][]int

	// Given fixes fault units: they are constants in the circuit, and so are the units that
	// cannot be on then because of a limit of the bounds; Graph.Inputs has the function of
	// each unit. For this part of the schedules, everything is the same as for all
	// schedules. Given and Among exclude each other. If no schedule is left, this is no
	// error: an element of Graph.Valid is False then.
	Given []Given

	// Single are messages that faults hit alone, of several of a relation, each with its number (rounds.Fault.Nth). Faults
	// of these numbers are units beside those of the bounds. The numbers are those of one execution, so that they
	// are right in the worlds of its schedule, and of others that lose nothing else by number. Nil: faults hit all
	// messages of a relation.
	Single []Numbered

	// MaxSteps limits the work of the evaluation: matching steps, firings, gates (in a
	// tabled circuit a step for each word of a truth table), and calls of solvers.
	// MaxRecursion limits the work within one recursive component. At either limit the
	// error is a *limits.LimitError whose What is StepsOfWork or StepsOfRecursion. 0: no
	// limit. The limits do not depend on the machine.
	MaxSteps, MaxRecursion int64

	// Work, if not nil, has the work done so far, in the same units. It may be read during
	// the evaluation.
	Work *atomic.Int64
}

// The names of limits in a *limits.LimitError: limits of work, and limits that a higher
// MaxFacts raises, the last of which is a prefix.
const (
	StepsOfWork      = "steps of work"
	StepsOfRecursion = "steps of work in one recursion"
	StepsOfMatching  = "steps of matching rules"
	PossibleValues   = "possible values of "
)

// Numbered is a message, and which of those of its relation that its sender sends its receiver in the round it is.
type Numbered struct {
	From, To string
	Round    int
	Relation string
	Args     []specs.Value
	Nth      int
}

// Given fixes a fault unit: it is on, or off, in all schedules that are evaluated.
type Given struct {
	Unit int
	On   bool
}
