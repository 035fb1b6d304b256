package subject

import (
	"errors"
	"fmt"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// inconclusive is the answer when the search came to no end.
func inconclusive(b rounds.Bounds, limit *result.Limit) *result.Answer {
	return &result.Answer{Verdict: result.Inconclusive, Scope: result.ScopeOf(b), Limit: limit}
}

// NotAsked returns an answer that says that the question was not asked, for a reason.
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

// executions returns the number of executions of an injection.
func executions(in *result.Injection) int {
	if in.Repeats == nil {
		return 1
	}
	return in.Repeats.Executions
}

// Sound reports errors in an answer of unknown origin that no search makes, such as a
// verdict without its parts.
func Sound(a *result.Answer) error {
	switch {
	case a.Verdict == "" || a.Scope.Scenarios == nil:
		return errors.New("its answer lacks the verdict or the scope")
	case a.Verdict != result.Holds && a.Verdict != result.Violated && a.Verdict != result.Inconclusive:
		return fmt.Errorf("there is no verdict %q", a.Verdict)
	case a.Verdict == result.Inconclusive && a.Limit == nil:
		return errors.New("its answer does not say why it is inconclusive")
	case a.Verdict == result.Violated && len(a.Counterexamples) == 0:
		return errors.New("its answer does not say what is violated")
	}
	for _, c := range a.Counterexamples {
		if len(c.Violations) == 0 {
			return errors.New("its answer does not say what is violated")
		}
		if c.Execution == nil {
			continue
		}
		if err := c.Execution.Validate(); err != nil {
			return err
		}
	}
	return nil
}
