package refusal

import (
	"fmt"

	"github.com/lineage-driven/ldfi/rounds"
)

// Judgement is the kind of the limit of a search that has met such executions.
const Judgement = "judgement"

// UnjudgedError reports an execution of which it is not known whether it satisfies
// a property, because to find that out takes too long. How much is too long depends
// on the machine, unlike all else that is said about executions.
type UnjudgedError struct {
	Property string
	Why      string          // what was given up
	Schedule rounds.Schedule // of the execution
}

func (e *UnjudgedError) Error() string {
	return fmt.Sprintf("the property %q is not judged %s: %s", e.Property, e.Under(), e.Why)
}

// Under names the schedule.
func (e *UnjudgedError) Under() string {
	if text := e.Schedule.String(); text != "" {
		return "under " + text
	}
	return "without faults"
}

// Inexact is the kind of the limit of a search that came to its end without a
// violation, which is no certificate because executions of one schedule may differ.
const Inexact = "inexact"

// SetAside is the kind of the limit of a question that was handed out, and that nobody
// could do.
const SetAside = "set aside"
