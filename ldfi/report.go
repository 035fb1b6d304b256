package ldfi

import (
	"fmt"
	"math/big"
	"time"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// Verdict is the answer of Check.
type Verdict string

// The verdicts.
const (
	Holds        Verdict = "holds"        // no schedule within the bounds breaks the promise
	Violated     Verdict = "violated"     // a schedule was executed and broke it
	Inconclusive Verdict = "inconclusive" // stopped before either was known
)

// Report is what Check found out.
type Report struct {
	Verdict         Verdict
	Violations      []Violation      // what the first counterexample breaks
	Counterexamples []Counterexample // smallest first; none unless violated
	Complete        bool             // no further minimal fault set exists within the bounds
	Vacuity         string           // a sentence, if the promise asks for nothing that happens
	Warnings        []specs.Warning
	Scope           Scope
	Stats           Stats

	// Limit says what stopped the search before its end. With the verdict
	// Inconclusive it is always set; with Violated it is set where the search
	// for smaller or further fault sets was stopped, and with Holds where
	// that for a vacuous promise was.
	Limit    *Limit
	Decided  int       // the largest number of rounds whose verdict is known
	Horizons []Horizon // the verdicts at smaller numbers of rounds, if they were decided
}

// Vacuous tells whether the promise asks for nothing that happens.
func (r *Report) Vacuous() bool { return r.Vacuity != "" }

// Counterexample is a set of faults that breaks the promise.
type Counterexample struct {
	Schedule   rounds.Schedule
	Size       int  // the number of faults
	Minimal    bool // no part of it breaks the promise, and no smaller set was left out
	Confirmed  bool // it was executed and failed
	Violations []Violation
	Execution  *recording.Execution // what happened, over the relations that the promise depends on
	Reason     []string             // which supports the faults take away, one a line
}

// Scope is what a verdict speaks about.
type Scope struct {
	Bounds    rounds.Bounds
	Scenarios *big.Int // how many schedules there are
}

// String returns for example "3 processes, 6 rounds, at most 1 crash: 19 scenarios".
func (s Scope) String() string {
	word := " scenarios"
	if s.Scenarios.IsInt64() && s.Scenarios.Int64() == 1 {
		word = " scenario"
	}
	return s.Bounds.String() + ": " + thousands(s.Scenarios.String()) + word
}

// longest is the number of digits up to which a count is written out.
const longest = 24

// thousands writes a number for a person: 77,824, or about 5.5·10^367. Data
// formats have the exact count.
func thousands(digits string) string {
	if len(digits) > longest {
		return fmt.Sprintf("about %s.%s·10^%d", digits[:1], digits[1:2], len(digits)-1)
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Stats is what the answer cost. All but Times is the same for the same input,
// unless the search was stopped by the clock.
type Stats struct {
	Facts       int // possible facts
	Gates       int // of the circuit
	SolverCalls int
	Executions  int // by the concrete executor
	Times       Times
}

// Times is how long each part took.
type Times struct {
	Evaluate, Search, Execute, Total time.Duration
}

// Horizon is the verdict at a smaller number of rounds.
type Horizon struct {
	EOT      int
	Verdict  Verdict
	Schedule rounds.Schedule // of a smallest counterexample, if it is violated
}

// What can stop a search; see Limit.Kind.
const (
	LimitFacts       = "facts"       // Options.MaxFacts
	LimitGates       = "gates"       // Options.MaxGates
	LimitSize        = "size"        // something else is too large for an evaluation; Limit.Reason says what
	LimitTimeout     = "timeout"     // the deadline of the context
	LimitInterrupted = "interrupted" // the context was cancelled
)

// Limit says what stopped a search.
type Limit struct {
	Kind   string
	Reason string          // a sentence: what was reached, and where
	Growth []result.Growth // the relations with most facts, largest first
	Advice []string        // what to try
}
