package result

import (
	"fmt"

	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// Verdict is the answer in one word.
type Verdict string

// The verdicts.
const (
	Holds        Verdict = "holds"        // no schedule within the bounds breaks the promise
	Violated     Verdict = "violated"     // a schedule was executed and broke it
	Inconclusive Verdict = "inconclusive" // stopped before either was known
)

// UnmarshalText reads a verdict, and refuses any other word.
func (v *Verdict) UnmarshalText(text []byte) error {
	switch *v = Verdict(text); *v {
	case Holds, Violated, Inconclusive:
		return nil
	}
	return fmt.Errorf("there is no verdict %q", text)
}

// Violation is one way in which an execution breaks what is promised.
type Violation struct {
	Property string          `json:"property"`        // its name; of a protocol the relation: post, good or violation
	Text     string          `json:"text"`            // a sentence without its full stop, process names without quotes
	Fact     recording.Fact  `json:"fact"`            // that is missing, or that must not be there
	Missing  bool            `json:"missing"`         // the fact is missing; otherwise it must not be there
	Phase    string          `json:"phase,omitempty"` // of the round of the fact, as in phase 2, Ack; empty if rounds have no names
	While    *recording.Fact `json:"while,omitempty"` // the pre fact that asks for it, if one does
	Stack    List[string]    `json:"stack,omitempty"` // of a panic, or of a call that hangs: the functions that ran, the innermost first

	// ByEnd says, of a system, that something has not happened by the end of the
	// execution: it may come about later.
	ByEnd bool `json:"by_end,omitempty"`

	Conflict List[string] `json:"conflict,omitempty"` // of linearizability: the requests in conflict, lines of a table

	specs.Position // where the promise is stated; zero if that is not known
}

// String returns the sentence, after the name of the property where the sentence
// does not begin with it.
func (v Violation) String() string {
	if v.Property == v.Fact.Relation {
		return v.Text
	}
	return v.Property + ": " + v.Text
}
