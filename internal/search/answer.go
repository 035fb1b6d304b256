package search

import (
	"context"
	"fmt"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// Answer begins an answer after so many executions, which is inconclusive until
// more is known.
func (s *Session) Answer(executions int) *result.Answer {
	return &result.Answer{
		Verdict: result.Inconclusive, Counterexamples: []result.Counterexample{}, Warnings: []specs.Warning{},
		Scope: result.ScopeOf(s.Bounds), Stats: result.Stats{Executions: executions},
		Search: &result.Search{Strategy: s.Strategy, Seed: s.Seed, Executions: executions},
	}
}

// Certify says that no schedule violates a property.
func Certify(a *result.Answer, c *result.Certificate) {
	a.Verdict, a.Complete, a.Search.Certificate = result.Holds, true, c
}

// Stop says why the search ended before its answer was known.
func Stop(a *result.Answer, kind, format string, args ...any) {
	a.Limit = &result.Limit{Kind: kind, Reason: fmt.Sprintf(format, args...)}
}

// Violated makes the answer one of a violation by a schedule.
func (s *Session) Violated(ctx context.Context, a *result.Answer, found rounds.Schedule) error {
	x, err := s.Executor(true)
	if err != nil {
		return err
	}
	a.Verdict, a.Search.Found = result.Violated, found.Normal()
	if !s.Whole {
		smallest, executions, err := s.minimise(ctx, x, found)
		if err == nil {
			a.Stats.Executions += executions
			a.Counterexamples = append(a.Counterexamples, smallest)
			return nil
		}
		if ctx.Err() == nil {
			return err
		}
	}
	// Even when the time is up, what is reported was executed.
	e, violations, err := x.Execute(context.WithoutCancel(ctx), found)
	a.Stats.Executions++
	if err == nil && len(violations) == 0 {
		err = fmt.Errorf("the schedule %q violated a property once and then did not: the system does not always do the same", found)
	}
	a.Counterexamples = append(a.Counterexamples, counterexample(found.Normal(), e, violations))
	return err
}

func counterexample(s rounds.Schedule, e *recording.Execution, violations []result.Violation) result.Counterexample {
	return result.Counterexample{Schedule: s, Size: s.Size(), Confirmed: true, Violations: violations, Because: []string{}, Execution: e}
}
