package ldfi

import (
	"cmp"
	"runtime"

	"github.com/lineage-driven/ldfi/internal/refusal"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
)

// Which tuples pre and post are judged on: see Options.Goals.
const (
	every     = "every"     // whenever pre(x) holds, post(x) must
	witnessed = "witnessed" // only for the tuples that post has without faults
)

// Options says how to judge a program and how much may be spent on it. The
// zero value judges every goal and reports one counterexample.
type Options struct {
	Goals    string // every: whenever pre(x) holds, post(x) must; witnessed: only for the tuples that post has without faults; "" means every
	Max      int    // how many minimal fault sets to report; below 1 means 1
	MaxFacts int    // stop when there are more possible facts; 0 means 1,000,000
	MaxGates int    // stop when the circuit has more gates; 0 means 10,000,000
	Workers  int    // how many cores to use; below 1 means all. No answer depends on it
	Version  string // what DiffWith calls the program; "" means its first file
	Depth    int    // how many levels below the fact Why explains; 0 means all

	// Of Hypotheses: the most faults that a set may have, 0 means any number; and what a
	// fault of each kind costs where that is not one. The sets that cost least come first.
	Size int
	Cost map[rounds.Kind]int
	Fold string // of Hypotheses: put sets in groups, by rounds, symmetry or cause; "" means none
	Bare bool   // of Hypotheses: leave out of each set why it breaks the promise, and its execution

	// Decider, if set, decides all questions about sets of faults and choices in place
	// of the SAT solver that is built in. Certifier, if set besides, is who is asked
	// whether the promise can be broken at all, by the formula that Export writes.
	Decider, Certifier solver.Decider

	// Progress, if set, is told what is being done, in a phrase: evaluating,
	// round 3 of 6. Calls never overlap. It may cancel the context.
	Progress func(doing string)

	// Stages, if set, is told in place of Progress how far the ways to decide a
	// question are. Calls never overlap.
	Stages func(result.Stage)

	without []way // that are not gone
}

func (o Options) normal() Options {
	o.Goals = cmp.Or(o.Goals, every)
	o.Max = max(o.Max, 1)
	if o.Workers < 1 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.MaxFacts = cmp.Or(max(o.MaxFacts, 0), refusal.DefaultMaxFacts)
	o.MaxGates = cmp.Or(max(o.MaxGates, 0), refusal.DefaultMaxGates)
	return o
}
