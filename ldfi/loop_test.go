package ldfi_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// TestLoopOfRandomPrograms compares the verdict of the loop, and how many faults its
// counterexample has, with what Check decides over all schedules at once.
func TestLoopOfRandomPrograms(t *testing.T) {
	campaign.Run(t, 400, func(ctx context.Context, c oracle.Case) (string, error) {
		return loopAgrees(ctx, c.Program, c.Bounds, c.Goals)
	})
}

func TestLoopOfProtocols(t *testing.T) {
	turns := 0
	for _, c := range oracle.Quick(t) {
		for _, b := range smallBounds(c.Bounds, 1000) {
			outcome, err := loopAgrees(t.Context(), c.Program, b, c.Goals)
			require.NoError(t, err, "%s: %s", c.Name, b)
			if outcome == "violated in several turns" || outcome == "holds in several turns" {
				turns++
			}
		}
	}
	require.Greater(t, turns, 20)
}

func loopAgrees(ctx context.Context, p *dedalus.Program, b rounds.Bounds, goals string) (string, error) {
	m, err := ldfi.New(p, b, ldfi.Options{Goals: goals})
	if err != nil {
		return "", err
	}
	want, err := m.Check(ctx)
	var steps []result.Step
	got, gotErr := m.Loop(ctx, func(s result.Step) { steps = append(steps, s) })
	if outcome, err := sameError(err, gotErr); outcome != "" || err != nil {
		return outcome, err
	}
	if want.Limit != nil || got.Limit != nil {
		return "limited", nil
	}
	if got.Verdict != want.Verdict || got.Vacuity != want.Vacuity {
		return "", fmt.Errorf("the loop says %s (%q), and all schedules at once %s (%q)", got.Verdict, got.Vacuity, want.Verdict, want.Vacuity)
	}
	if want.First() != nil && (got.First().Size != want.First().Size || !got.First().Minimal || !got.First().Confirmed) {
		return "", fmt.Errorf("the loop finds %s, and all schedules at once %s", got.First().Schedule, want.First().Schedule)
	}
	if err := wellTold(steps, got); err != nil {
		return "", err
	}
	if len(steps) > 1 {
		return string(got.Verdict) + " in several turns", nil
	}
	return string(got.Verdict) + " at once", nil
}

// wellTold reports what is wrong with the steps that a loop told: each but the last
// shows something, and is hit by each later schedule, unless it is not all told.
func wellTold(steps []result.Step, a *result.Answer) error {
	if len(steps) == 0 {
		return errors.New("no step was told")
	}
	for i, s := range steps {
		last := i == len(steps)-1
		switch {
		case s.Number != i+1:
			return fmt.Errorf("step %d is the %dth", s.Number, i+1)
		case len(s.Violations) > 0 && (!last || a.Verdict != result.Violated || s.Schedule.String() != a.First().Schedule.String()):
			return fmt.Errorf("step %d violates %s, and the search goes on", s.Number, s.Violations[0])
		case len(s.Violations) == 0 && len(s.Outcomes) == 0 && i > 0:
			return fmt.Errorf("step %d shows nothing", s.Number)
		case len(s.Why) == 0:
			return fmt.Errorf("step %d has no reason", s.Number)
		}
	}
	return nil
}

// TestLoopTells shows the loop on a broadcast that is retried.
func TestLoopTells(t *testing.T) {
	p, b := parse(t, retry)
	var steps []result.Step
	a, err := model(t, p, b, ldfi.Options{}).Loop(t.Context(), func(s result.Step) { steps = append(steps, s) })
	require.NoError(t, err)
	require.Equal(t, result.Violated, a.Verdict)
	require.Equal(t, 2, a.First().Size)
	first := steps[0].Outcomes
	require.Equal(t, `post("b", "hello")@6`, first[0].Fact)
	require.Contains(t, first[0].Supports, result.Support{Messages: []string{"log a>b@1"}, Clause: []string{"crash a@1", "omit a>b@1"}})
	require.Equal(t, a.First().Schedule, steps[len(steps)-1].Schedule)
}

// Of a process that never crashes, nothing that stops with it can be prevented by its
// crash.
func TestLoopWithoutCrashes(t *testing.T) {
	p, b := parse(t, retry+"\n// ldfi: crash=stop never-crash=a")
	a, err := model(t, p, b, ldfi.Options{}).Loop(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, result.Holds, a.Verdict, a.Scope.Text)
}

// A limit that is met in the run without faults is an answer, as it is of Check.
func TestLoopMeetsLimits(t *testing.T) {
	p, b := parse(t, retry)
	m := model(t, p, b, ldfi.Options{MaxFacts: 3})
	want, err := m.Check(t.Context())
	require.NoError(t, err)
	got, err := m.Loop(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, result.Inconclusive, got.Verdict)
	require.Equal(t, want.Limit, got.Limit)
}

// A rule that stops with its process rests on that process, where no message does.
func TestLoopTellsOfStops(t *testing.T) {
	p, b := parse(t, `// ldfi: processes=a,b eot=3 crashes=1 crash=stop
		n("a", 1)@1;
		n(P, X + 1)@next :- n(P, X);
		pre(P) :- n(P, 1)@1;
		post(P) :- n(P, 3);`)
	var steps []result.Step
	a, err := model(t, p, b, ldfi.Options{}).Loop(t.Context(), func(s result.Step) { steps = append(steps, s) })
	require.NoError(t, err)
	require.Equal(t, result.List[result.Support]{{Clause: []string{"crash a@1", "crash a@2"}}}, steps[0].Outcomes[0].Supports)
	require.Equal(t, "crash a@1", a.First().Schedule.String())
}
