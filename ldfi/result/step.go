package result

import "github.com/lineage-driven/ldfi/rounds"

// Step is one turn of a search by lineage: a schedule was chosen and executed, and
// what happened says why the good outcomes that are left held.
type Step struct {
	Number     int             `json:"step"`       // from 1
	Schedule   rounds.Schedule `json:"schedule"`   // that was executed
	Why        List[string]    `json:"why"`        // it was chosen, a line for each reason
	Violations List[Violation] `json:"violations"` // what it breaks
	Outcomes   List[Outcome]   `json:"outcomes"`   // none where something is violated
}

// Outcome is something good that happened, and what it rests on.
type Outcome struct {
	Fact     string        `json:"fact"`           // as a program has it, with its round
	Supports List[Support] `json:"supports"`       // the smallest first
	More     bool          `json:"more,omitempty"` // there are further ones, which count but are not listed
}

// Support is a set of messages whose arrival was enough for an outcome.
type Support struct {
	Messages List[string] `json:"messages"`        // empty: the outcome needs none
	Lacks    List[string] `json:"lacks,omitempty"` // facts that had to be absent
	Clause   List[string] `json:"clause"`          // the faults within the bounds any of which prevents it: it loses a message, or stops a process that has to go on
}
