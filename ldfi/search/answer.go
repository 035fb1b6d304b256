package search

import (
	"context"
	"errors"
	"fmt"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
)

// answer begins an answer, which is inconclusive until more is known. An
// executor has made so many whole executions for it.
func (t *Target) answer(strategy string, seed uint64, executions int) *result.Answer {
	return &result.Answer{
		Verdict: result.Inconclusive, Counterexamples: []result.Counterexample{}, Warnings: []specs.Warning{},
		Scope: result.ScopeOf(t.Bounds), Stats: result.Stats{Executions: executions},
		Search: &result.Search{Strategy: strategy, Seed: seed, Executions: executions},
	}
}

// certify says that no schedule violates a property.
func certify(a *result.Answer, c *result.Certificate) {
	a.Verdict, a.Complete, a.Search.Certificate = result.Holds, true, c
}

// stop says why the search ended before its answer was known.
func stop(a *result.Answer, kind, format string, args ...any) {
	a.Limit = &result.Limit{Kind: kind, Reason: fmt.Sprintf(format, args...)}
}

// ended says how a context ended a search.
func ended(ctx context.Context) (kind, reason string) {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return result.LimitTimeout, "the time was up"
	}
	return result.LimitInterrupted, "the search was stopped"
}

// settle makes the answer one of a violation by a schedule.
func settle(ctx context.Context, a *result.Answer, t *Target, o Options, found rounds.Schedule) error {
	x, err := newExecutor(t)
	if err != nil {
		return err
	}
	a.Verdict, a.Search.Found = result.Violated, found.Normal()
	if !o.Whole {
		m, err := minimise(ctx, t, x, found)
		if err == nil {
			a.Stats.Executions += m.Executions
			a.Counterexamples = append(a.Counterexamples, counterexample(m))
			return nil
		}
		if ctx.Err() == nil {
			return err
		}
	}
	// Even when the time is up, what is reported was executed.
	e, violations, err := x.execute(context.WithoutCancel(ctx), found)
	a.Stats.Executions++
	if err == nil && len(violations) == 0 {
		err = fmt.Errorf("the schedule %q violated a property once and then did not: the system does not always do the same", found)
	}
	a.Counterexamples = append(a.Counterexamples, counterexample(&Minimised{found.Normal(), violations, e, 1}))
	return err
}

func counterexample(m *Minimised) result.Counterexample {
	return result.Counterexample{
		Schedule: m.Schedule, Size: m.Schedule.Size(), Confirmed: true, Violations: m.Violations, Because: []string{}, Execution: m.Execution,
	}
}

// Summary returns the answer to a search in one line.
func Summary(a *result.Answer) string {
	s := a.Search
	switch a.Verdict {
	case result.Violated:
		c := a.First()
		return fmt.Sprintf("violated after %d executions (%s, seed %d): %s: %s", s.Executions, s.Strategy, s.Seed, c.Schedule, c.Violations[0])
	case result.Holds:
		return fmt.Sprintf("holds (%s): %s", s.Strategy, s.Certificate)
	}
	text := fmt.Sprintf("inconclusive after %d executions (%s, seed %d): %s", s.Executions, s.Strategy, s.Seed, a.Limit.Reason)
	if s.Guarantee != "" {
		text += "; " + s.Guarantee
	}
	return text
}
