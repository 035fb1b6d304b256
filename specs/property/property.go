package property

import (
	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Property is something that every execution has to satisfy. Exactly one of
// Rules and Func is set.
type Property struct {
	Name  string
	Rules *datalog.Rules                                // what package rules makes of rules, which derive violation(..), or pre(..) and post(..)
	Func  func(*recording.Execution) []result.Violation // or a function that returns what is wrong

	// FactsOnly says that Func does not look at messages. A search that judges
	// by facts alone executes a system up to twice as often.
	FactsOnly bool

	// ByEnd says that a violation says that something has not happened by the end
	// of the execution. So it is one only if that does not happen later either: a
	// search goes on with the execution before it reports it, unless the number
	// of rounds of the system is fixed. Of rules every pre without its post is
	// such a violation by itself, unless the rules read eot, the number of rounds.
	ByEnd bool

	// CrashedCounts says that what processes have reported counts when they have
	// crashed, too, and that this is meant. Otherwise an answer names a fact of such
	// a process where a violation needs one, unless the rules look at crashes. Rules
	// say it themselves in a line # ldfi: crashed=counts.
	CrashedCounts bool
}

// Check returns how an execution violates the property, in a fixed order. To
// check many executions, Compile the property once.
func (p Property) Check(e *recording.Execution) ([]result.Violation, error) {
	c, err := Compile(p)
	if err != nil {
		return nil, err
	}
	return c.Check(e)
}
