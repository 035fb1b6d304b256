package limits

import (
	"fmt"

	"github.com/lineage-driven/ldfi/rounds"
)

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
