package ldfi

import (
	"fmt"

	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Violation is one way in which an execution breaks the promise.
type Violation struct {
	Fact    recording.Fact  // the fact that is missing, or that must not be there
	Missing bool            // it is missing
	While   *recording.Fact // the pre fact that asks for it, if one does
}

// Text returns the violation as a sentence without its full stop, process
// names without quotes: `post(c, "hello") is missing at round 6 while pre(c,
// "hello") holds`.
func (v Violation) Text(processes []string) string {
	goal := v.Goal(processes)
	switch {
	case v.While != nil:
		return fmt.Sprintf("%s is missing at round %d while %s holds", goal, v.Fact.Round, recording.Display(*v.While, processes))
	case v.Missing:
		return fmt.Sprintf("%s is missing at round %d", goal, v.Fact.Round)
	default:
		return fmt.Sprintf("%s holds at round %d", goal, v.Fact.Round)
	}
}

// Goal returns the fact without its round.
func (v Violation) Goal(processes []string) string { return recording.Display(v.Fact, processes) }
