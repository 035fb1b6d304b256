package search

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Verdict is the answer of a search.
type Verdict string

// The verdicts.
const (
	Holds        Verdict = "holds"        // no schedule within the bounds violates a property
	Violated     Verdict = "violated"     // a schedule was executed and violates one
	Inconclusive Verdict = "inconclusive" // stopped before either was known
)

// Result is what a search found out.
type Result struct {
	Strategy string
	Verdict  Verdict

	// Of a violation: the schedule, without what it does not need; what was
	// found before that was taken away; and what happened.
	Schedule   rounds.Schedule
	Found      rounds.Schedule
	Violations []result.Violation
	Execution  *recording.Execution
	Smallest   bool // no schedule within the bounds with fewer faults violates a property

	Executions      int // whole executions, up to and with the first that violates a property
	TotalExecutions int // with those that make the schedule smaller

	Seed        uint64       // what the random choices of the strategy came from
	Guarantee   string       // what finding nothing says, a phrase; empty if there is nothing to say
	Certificate *Certificate // of the verdict Holds
	Reason      string       // of the verdict Inconclusive: what stopped the search
}

// Certificate says what a verdict Holds covers, and what it rests on.
type Certificate struct {
	Bounds      rounds.Bounds
	Settings    rounds.Schedule // the seed and ticks of every execution
	Schedules   *big.Int        // how many there are within the bounds
	States      int             // different global states and histories, or the local states of the table; 0: whole executions alone were looked at
	Transitions int             // different local transitions that were executed
	Executions  int             // whole executions
	Assumption  string          // what is taken for granted, a sentence; empty if nothing is
}

// String returns the certificate as a sentence.
func (c *Certificate) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "no schedule violates a property: %s, %s schedules", c.Bounds, c.Schedules)
	if c.States > 0 {
		fmt.Fprintf(&b, ", %d states, %d local transitions", c.States, c.Transitions)
	}
	fmt.Fprintf(&b, ", %d executions", c.Executions)
	if len(c.Settings) > 0 {
		fmt.Fprintf(&b, ", with %s", c.Settings)
	}
	if c.Assumption != "" {
		fmt.Fprintf(&b, ". %s", c.Assumption)
	}
	return b.String()
}

// String returns the result in one line.
func (r *Result) String() string {
	switch r.Verdict {
	case Violated:
		return fmt.Sprintf("violated after %d executions (%s, seed %d): %s: %s", r.Executions, r.Strategy, r.Seed, r.Schedule, r.Violations[0])
	case Holds:
		return fmt.Sprintf("holds (%s): %s", r.Strategy, r.Certificate)
	}
	text := fmt.Sprintf("inconclusive after %d executions (%s, seed %d): %s", r.Executions, r.Strategy, r.Seed, r.Reason)
	if r.Guarantee != "" {
		text += "; " + r.Guarantee
	}
	return text
}
