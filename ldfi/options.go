package ldfi

import "cmp"

// Which tuples pre and post are judged on: see Options.Goals.
const (
	Every     = "every"     // whenever pre(x) holds, post(x) must
	Witnessed = "witnessed" // only for the tuples that post has without faults
)

// The limits that the command line sets when the user gives none.
const (
	DefaultMaxFacts = 1_000_000
	DefaultMaxGates = 10_000_000
)

// Options says how to judge a program and how much may be spent on it. The
// zero value judges every goal and reports one counterexample.
type Options struct {
	Goals    string // Every or Witnessed; "" means Every
	Max      int    // how many minimal fault sets to report; below 1 means 1
	MaxFacts int    // stop when there are more possible facts; 0 means DefaultMaxFacts
	MaxGates int    // stop when the circuit has more gates; 0 means DefaultMaxGates

	// Progress, if set, is told what is being done, in a phrase: evaluating,
	// round 3 of 6. Calls never overlap. It may cancel the context.
	Progress func(doing string)
}

func (o Options) normal() Options {
	o.Goals = cmp.Or(o.Goals, Every)
	o.Max = max(o.Max, 1)
	o.MaxFacts = cmp.Or(max(o.MaxFacts, 0), DefaultMaxFacts)
	o.MaxGates = cmp.Or(max(o.MaxGates, 0), DefaultMaxGates)
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	return o
}
