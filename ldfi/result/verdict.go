package result

import (
	"fmt"

	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// Verdict is an answer in one word.
type Verdict string

// The verdicts.
const (
	Holds        Verdict = "holds"        // no schedule within the bounds breaks the promise
	Violated     Verdict = "violated"     // a schedule was executed and broke it
	Inconclusive Verdict = "inconclusive" // stopped before either was known
)

// UnmarshalText reads a verdict, and returns an error for any other word.
func (v *Verdict) UnmarshalText(text []byte) error {
	switch *v = Verdict(text); *v {
	case Holds, Violated, Inconclusive:
		return nil
	}
	return fmt.Errorf("there is no verdict %q", text)
}

// Violation is one way in which an execution breaks the promise.
type Violation struct {
	Property string          `json:"property"`        // the name of the property; for a protocol the relation: post, good or violation
	Text     string          `json:"text"`            // a sentence without its full stop, process names without quotes
	Fact     recording.Fact  `json:"fact"`            // the fact that is missing, or that must not be there
	Missing  bool            `json:"missing"`         // the fact is missing; otherwise it must not be there
	Phase    string          `json:"phase,omitempty"` // the phase of the round of the fact, as in phase 2, Ack; empty if rounds have no names
	While    *recording.Fact `json:"while,omitempty"` // the pre fact that asks for it, if one does
	Stack    List[string]    `json:"stack,omitempty"` // for a panic, or a call that hangs: the functions on the stack, the innermost first

	// ByEnd says, for a system, that something has not happened by the end of the
	// execution: it may happen later.
	ByEnd bool `json:"by_end,omitempty"`

	Conflict List[string] `json:"conflict,omitempty"` // for linearizability: the requests in conflict, as lines of a table

	specs.Position // where the promise is stated; zero if that is not known
}

// String returns the sentence, with the name of the property in front unless the
// sentence begins with it.
func (v Violation) String() string {
	if v.Property == v.Fact.Relation {
		return v.Text
	}
	return v.Property + ": " + v.Text
}
