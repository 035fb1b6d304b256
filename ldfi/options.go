package ldfi

import (
	"cmp"
	"runtime"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
)

// Which tuples pre and post are judged on: see Options.Goals.
const (
	every     = "every"     // whenever pre(x) holds, post(x) must
	witnessed = "witnessed" // only for the tuples that post has without faults
)

// Options control how a program is judged and how much may be spent on it. The zero
// value judges every goal and reports one counterexample.
type Options struct {
	Goals    string // every: whenever pre(x) holds, post(x) must; witnessed: only for the tuples that post has without faults; "" means every
	Max      int    // the most minimal fault sets to report; below 1 means 1
	MaxFacts int    // stop when there are more possible facts; 0 means 1,000,000
	MaxGates int    // stop when the circuit has more gates; 0 means 10,000,000
	Workers  int    // how many cores to use; below 1 means all. No answer depends on it
	Version  string // what DiffWith calls the program; "" means its first file
	Depth    int    // how many levels below the fact Why explains; 0 means all

	// For Hypotheses: Size is the most faults that a set may have, 0 means any number. Cost
	// is the cost of a fault by its kind, 1 if it has none. The cheapest sets come first.
	Size int
	Cost map[rounds.Kind]int
	Fold string // for Hypotheses: put sets in groups, by "rounds", "symmetry" or "cause"; "" means no groups
	Hold bool   // for Guided: only violations count that reach as many waypoints of the guide as any schedule does
	Bare bool   // for Hypotheses: return each set without its execution and without the reason why it breaks the promise

	// Decider, if set, decides all questions about sets of faults and choices in place
	// of the built-in SAT solver. Certifier, if set too, decides whether the promise
	// can be broken at all, by the formula that Export writes.
	Decider, Certifier solver.Decider

	// Certify, if set, is called with a proof for any number of rounds.
	Certify func(*solver.Certificate)

	// Progress, if set, is called with a phrase for the current work: evaluating, round 3
	// of 6. Calls never overlap. Progress may cancel the context.
	Progress func(doing string)

	// Stages, if set, is called in place of Progress with the progress of the ways to
	// decide a question. Calls never overlap.
	Stages func(result.Stage)

	without []way // that are not gone
}

func (o Options) normal() Options {
	o.Goals = cmp.Or(o.Goals, every)
	o.Max = max(o.Max, 1)
	if o.Workers < 1 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.MaxFacts = cmp.Or(max(o.MaxFacts, 0), limits.DefaultMaxFacts)
	o.MaxGates = cmp.Or(max(o.MaxGates, 0), limits.DefaultMaxGates)
	return o
}
