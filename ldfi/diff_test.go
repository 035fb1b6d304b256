package ldfi_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// TestDiff: the first fact that is missing has the lost message for its cause; what
// follows from it ends in the broken promise; and either fault, undone, brings the
// message back in a round of its own.
func TestDiff(t *testing.T) {
	p, err := dedalus.ParseText("retry.ded", retry)
	require.NoError(t, err)
	b, goals, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err)
	bad, err := rounds.ParseSchedule("crash a@2; omit a>b@1")
	require.NoError(t, err)
	d, err := model(t, p, b, ldfi.Options{Goals: goals}).Diff(t.Context(), rounds.Schedule{}, bad)
	require.NoError(t, err)
	require.Equal(t, []string{
		`first, log(b, "hello")@2..6 is missing: what a sends b in round 1 is lost (omit a>b@1) [retry.ded:9]`,
		`instead, a sends it in rounds 2..5, which is lost too (crash a@2), and nobody else sends it; c had it when a crashed in round 2`,
		`so post(b, "hello")@6 is missing [retry.ded:11]`,
		`without crash a@2: log(b, "hello")@3 comes back, sent by a in round 2, and the promise is kept`,
		`without omit a>b@1: log(b, "hello")@2 comes back, sent by a in round 1, and the promise is kept`,
	}, []string(d.Text))
}

// TestDiffOfProtocols: of every protocol in testdata that breaks, every sentence is true
// of the executions, and each fault of a minimal set mends the promise when it alone is
// undone, by a fact that comes back or goes.
func TestDiffOfProtocols(t *testing.T) {
	broken := 0
	for _, c := range oracle.Quick(t) {
		t.Run(c.Name, func(t *testing.T) {
			m := model(t, c.Program, c.Bounds, ldfi.Options{Goals: c.Goals, Max: 5})
			a, err := m.Check(t.Context())
			if err != nil || a.First() == nil {
				return
			}
			broken++
			for _, found := range a.Counterexamples {
				outcome, err := agreeOnDifference(t.Context(), m, c, causality.Faultless(found.Schedule), found.Schedule, true)
				require.NoError(t, err)
				if len(found.Schedule.Faults) > 0 {
					require.Equal(t, "compared", outcome)
				}
			}
		})
	}
	require.Greater(t, broken, 15)
}

// TestDiffOfRandomPrograms does the same for random programs under random schedules, also
// beyond the bounds, and with good ones that have faults.
func TestDiffOfRandomPrograms(t *testing.T) {
	campaign.Run(t, 200, func(ctx context.Context, c oracle.Case) (string, error) {
		m, err := ldfi.New(c.Program, c.Bounds, ldfi.Options{Goals: c.Goals, MaxFacts: 20_000})
		if err != nil {
			return "", err
		}
		compared := ""
		schedules := c.Schedules(8)
		for i, s := range schedules {
			for _, good := range []rounds.Schedule{causality.Faultless(s), schedules[(i+1)%len(schedules)]} {
				outcome, err := agreeOnDifference(ctx, m, c, good, s, false)
				if err != nil {
					return "", fmt.Errorf("%q against %q: %w", s, good, err)
				}
				if compared == "" || outcome == "compared" {
					compared = outcome
				}
			}
		}
		return compared, nil
	})
}

// agreeOnDifference compares two executions and checks all that is said about that.
func agreeOnDifference(ctx context.Context, m *ldfi.Model, c oracle.Case, good, bad rounds.Schedule, minimal bool) (string, error) {
	d, err := m.Diff(ctx, good, bad)
	if refused(err) {
		return "refused", nil
	}
	if errors.As(err, new(*ldfi.NoPromiseError)) {
		return "without a promise", nil
	}
	if err != nil {
		return "", err
	}
	machine, err := lockstep.Compile(c.Program, c.Bounds, lockstep.Options{Only: promised(c.Program), MaxFacts: 100_000})
	if err != nil {
		return "", err
	}
	execute := func(s rounds.Schedule) (*recording.Execution, error) { return machine.Execute(ctx, s) }
	if err := oracle.CheckDifference(d, execute, execute); err != nil {
		return "", fmt.Errorf("%w; it is said: %q", err, d.Text)
	}
	if d.Outcome == 0 {
		return "alike", nil
	}
	if unnamed := faultsOf(oracle.Unnamed(d, d.Bad.Schedule, c.Bounds)); minimal && len(unnamed) > 0 {
		return "", fmt.Errorf("the story does not name %s: %q", unnamed, d.Text)
	}
	return "compared", differs(d, minimal)
}

// faultsOf leaves out what the environment chooses, which is no fault.
func faultsOf(all []rounds.Fault) []rounds.Fault {
	return slices.DeleteFunc(all, func(f rounds.Fault) bool { return f.Kind == rounds.Choose })
}

// promised are the relations of a program that say what it promises.
func promised(p *dedalus.Program) (names []string) {
	for _, r := range p.Relations() {
		if slices.Contains([]string{"pre", "post", "good", "violation"}, r.Name) {
			names = append(names, r.Name)
		}
	}
	return names
}

// differs checks that every fault of a minimal set is accounted for.
func differs(d *result.Difference, minimal bool) error {
	undone := 0
	for _, u := range d.Without {
		undone += len(u.Fault.Faults)
		if minimal && !u.Mends {
			return fmt.Errorf("without %s the promise is not kept", u.Fault)
		}
		if minimal && len(u.Changes) == 0 {
			return fmt.Errorf("without %s nothing comes back or goes", u.Fault)
		}
	}
	if undone < d.Bad.Schedule.Size() {
		return fmt.Errorf("%d of %d faults are undone", undone, d.Bad.Schedule.Size())
	}
	return nil
}
