package subject

import (
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// inconclusive is the answer when the search came to no end.
func inconclusive(b rounds.Bounds, limit *result.Limit) *result.Answer {
	return &result.Answer{Verdict: result.Inconclusive, Scope: result.ScopeOf(b), Limit: limit}
}

// NotAsked is the answer to a question that was not asked, for that reason.
func NotAsked(reason string) *result.Answer {
	return inconclusive(rounds.Bounds{}.Normal(), &result.Limit{Kind: result.LimitInterrupted, Reason: reason})
}

// Broken is the answer that an execution gives which breaks the promise: there
// may be smaller counterexamples.
func Broken(in *result.Injection) *result.Answer {
	return &result.Answer{
		Verdict: in.Verdict, Scope: result.ScopeOf(in.Bounds), Warnings: in.Warnings, Stats: result.Stats{Executions: executions(in)},
		Counterexamples: []result.Counterexample{{
			Schedule: in.Schedule, Size: in.Schedule.Size(), Confirmed: in.Repeats == nil || in.Repeats.All(), Violations: in.Violations,
			Because: in.Because, Execution: in.Execution, Senders: in.Senders, Continued: in.Continued, Repeats: in.Repeats,
		}},
	}
}

// executions is how many an injection was.
func executions(in *result.Injection) int {
	if in.Repeats == nil {
		return 1
	}
	return in.Repeats.Executions
}
