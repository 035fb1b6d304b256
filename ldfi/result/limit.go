package result

import (
	"context"
	"errors"

	"github.com/lineage-driven/ldfi/rounds/recording"
)

// The limits that can stop a search; see Limit.Kind.
const (
	LimitFacts       = "facts"       // the limit on facts (--max-facts)
	LimitGates       = "gates"       // the limit on gates (--max-gates)
	LimitSolver      = "solver"      // the SAT solver given by --solver gave up
	LimitSize        = "size"        // something else is too large for an evaluation; Limit.Reason says what
	LimitExecutions  = "executions"  // the budget of executions (--executions)
	LimitHypotheses  = "hypotheses"  // the strategy lineage has no hypothesis left, which is no certificate
	LimitTimeout     = "timeout"     // the deadline of the context
	LimitInterrupted = "interrupted" // the context was cancelled
)

// Limit describes what stopped a search.
type Limit struct {
	Kind   string                 `json:"kind"`   // facts, gates, memory, solver, size, executions, hypotheses, timeout, interrupted, judgement, inexact or set aside; there may be others
	Reason string                 `json:"reason"` // a sentence: the limit that was reached, and where
	Growth List[recording.Growth] `json:"growth"` // the relations with the most facts, the largest first
	Advice List[string]           `json:"advice"` // what to try
}

// Ended returns the limit that ended a context: its deadline, or else somebody.
func Ended(ctx context.Context) *Limit {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) || errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return &Limit{Kind: LimitTimeout, Reason: "the time is up"}
	}
	return &Limit{Kind: LimitInterrupted, Reason: "interrupted"}
}
