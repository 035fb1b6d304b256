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
	Rules *datalog.Rules                                // rules that derive violation(..), or pre(..) and post(..); package rules makes them
	Func  func(*recording.Execution) []result.Violation // or a function that returns the violations

	// FactsOnly says that Func does not look at messages. A search that needs facts
	// only executes a system up to twice as often.
	FactsOnly bool

	// ByEnd says that violations of the property are about something that has not
	// happened by the end of the execution. They count only if it does not happen later
	// either: a search continues the execution before it reports them, unless the
	// number of rounds of the system is fixed. For rules, every pre without its post is
	// such a violation even without ByEnd, unless the rules read eot, the number of
	// rounds.
	ByEnd bool

	// Covers says that Rules have no violation: they name what should come about in some
	// execution. An answer warns of each of their atoms that no execution has a fact for.
	Covers bool

	// CrashedCounts says that facts of processes that have crashed count on purpose.
	// Otherwise an answer names the fact of such a process that a violation needs,
	// unless the rules look at crashes. In rules the line # ldfi: crashed=counts has
	// the same effect.
	CrashedCounts bool
}

// Check returns the violations of the property in the execution e, in a fixed order. To
// check many executions, Compile the property once.
func (p Property) Check(e *recording.Execution) ([]result.Violation, error) {
	c, err := Compile(p)
	if err != nil {
		return nil, err
	}
	return c.Check(e)
}
