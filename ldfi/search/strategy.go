package search

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"github.com/lineage-driven/ldfi/ldfi/result"
)

// Strategy decides which schedules are executed.
type Strategy interface {
	// Name is what the command line calls it.
	Name() string
	// Search looks for a schedule within the bounds of the target that violates
	// a property. When the context ends, or the budget is used up, the answer is
	// inconclusive. An error says that the target cannot be searched, or is an
	// ExecutionError: a process failed. Strategies that draw schedules make the
	// schedule of a panic as small as they can.
	Search(ctx context.Context, t Target, o Options) (*result.Answer, error)
}

// Options say how a search goes about it.
type Options struct {
	Seed        uint64  // of the random choices of the strategy
	Executions  int     // at most so many; 0: 10,000
	Workers     int     // goroutines that execute; 0: one for each core. The result does not depend on it
	Probability float64 // with which drop loses a message; 0: a quarter
	States      int     // exhaustive and learn: keep at most so many global states; 0: 2,000,000
	Whole       bool    // do not make the schedule that was found smaller
	Progress    func(Progress)
}

// Progress is how far a search has come.
type Progress struct {
	Executions int    `json:"executions"`
	States     int    `json:"states"`
	Text       string `json:"text"` // what it is doing
}

func (o Options) normal() Options {
	if o.Executions <= 0 {
		o.Executions = 10_000
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Probability <= 0 {
		o.Probability = 0.25
	}
	if o.States <= 0 {
		o.States = 2_000_000
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	return o
}

// Strategies returns all strategies, those that ask least of a system last.
func Strategies() []Strategy {
	return []Strategy{Exhaustive, Learn, Lineage, Spread, Sample, Drop}
}

// Named returns the strategy of that name.
func Named(name string) (Strategy, error) {
	var names []string
	for _, s := range Strategies() {
		if s.Name() == name {
			return s, nil
		}
		names = append(names, s.Name())
	}
	return nil, fmt.Errorf("there is no strategy %q: the strategies are %s", name, strings.Join(names, ", "))
}

// Default returns the strategy that fits what the system offers, and the reason
// as a sentence.
func Default(t Target) (Strategy, string) {
	n, err := t.normal()
	if err != nil {
		return Spread, "spread, which asks nothing of the system"
	}
	others := n.onlyIsolationsAndCrashes()
	snapshots, fingerprints := n.offers()
	switch {
	case n.Execute != nil:
		return Spread, "spread, because the system is executed elsewhere: few isolations at a time find most bugs soonest"
	case others != nil:
		return Spread, "spread, because the bounds allow more than isolations and crashes: few isolations at a time find most bugs soonest"
	case fingerprints && n.System.Varies(context.Background(), n.Settings):
		return Spread, "spread, because ticks or random numbers are drawn anew for every execution, and learn and exhaustive would settle on some of them"
	case snapshots && fingerprints:
		return Exhaustive, "exhaustive, because the processes can be put back into states that have names: every global state is looked at once"
	case fingerprints:
		return Learn, "learn, because the processes name their states: what one execution shows of them is known for all others"
	}
	return Spread, "spread, because the processes name no states that could be learned: few isolations at a time find most bugs soonest"
}
