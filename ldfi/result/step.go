package result

import "github.com/lineage-driven/ldfi/rounds"

// Step is one turn of a search by lineage: a schedule was chosen and executed, and the
// execution shows why the remaining good outcomes held.
type Step struct {
	Number     int             `json:"step"`       // from 1
	Schedule   rounds.Schedule `json:"schedule"`   // the schedule that was executed
	Why        List[string]    `json:"why"`        // why the schedule was chosen, a line for each reason
	Violations List[Violation] `json:"violations"` // what it breaks
	Outcomes   List[Outcome]   `json:"outcomes"`   // the good outcomes; none if something is violated
}

// Outcome is a good outcome of an execution, and what it rests on.
type Outcome struct {
	Fact     string        `json:"fact"`           // the fact as in a program, with its round
	Supports List[Support] `json:"supports"`       // the smallest first
	More     bool          `json:"more,omitempty"` // there are further supports, which count but are not listed
}

// Support is a set of messages whose arrival was enough for an outcome.
type Support struct {
	Messages List[string] `json:"messages"`        // the messages; empty if the outcome needs none
	Lacks    List[string] `json:"lacks,omitempty"` // the facts that had to be absent
	Clause   List[string] `json:"clause"`          // the faults within the bounds that each prevent the support: by the loss of a message, or of a process that has to go on
}
