package result

// What can stop a search; see Limit.Kind.
const (
	LimitFacts       = "facts"       // the limit on facts (--max-facts)
	LimitGates       = "gates"       // the limit on gates (--max-gates)
	LimitSolver      = "solver"      // the SAT solver that was named gave up (--solver)
	LimitSize        = "size"        // something else is too large for an evaluation; Limit.Reason says what
	LimitExecutions  = "executions"  // the budget of executions (--executions)
	LimitHypotheses  = "hypotheses"  // lineage has no hypothesis left, which is no certificate
	LimitTimeout     = "timeout"     // the deadline of the context
	LimitInterrupted = "interrupted" // the context was cancelled
)

// Limit says what stopped a search.
type Limit struct {
	Kind   string       `json:"kind"`   // facts, gates, memory, solver, size, executions, hypotheses, timeout, interrupted, judgement, inexact or set aside; there may be others
	Reason string       `json:"reason"` // a sentence: what was reached, and where
	Growth List[Growth] `json:"growth"` // the relations with most facts, largest first
	Advice List[string] `json:"advice"` // what to try
}

// Growth is how many facts a relation has over all rounds, or had when an
// evaluation was stopped.
type Growth struct {
	Relation string `json:"relation"` // its name
	Facts    int    `json:"facts"`    // how many it has
}
