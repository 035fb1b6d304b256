package provenance_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/stretchr/testify/require"
)

// TestExecution compares whole executions of random programs, with all messages and
// what becomes of them, with what the concrete executor records.
func TestExecution(t *testing.T) {
	var seen fates
	campaign.Run(t, 500, func(ctx context.Context, c oracle.Case) (string, error) {
		return seen.executed(ctx, c, 12)
	})
	require.Positive(t, seen.arrived.Load())
	require.Positive(t, seen.lost.Load())
	require.Positive(t, seen.late.Load())
	require.Positive(t, seen.again.Load())
	require.Positive(t, seen.beyond.Load(), "schedules beyond the bounds")
}

// fates counts what became of messages, in all executions that were compared.
type fates struct{ arrived, lost, late, again, beyond atomic.Int64 }

func (n *fates) count(e *recording.Execution) {
	for _, m := range e.Messages {
		switch {
		case m.Lost:
			n.lost.Add(1)
		case m.Again:
			n.again.Add(1)
		case m.Arrival > 0:
			n.late.Add(1)
		default:
			n.arrived.Add(1)
		}
	}
}

// TestExecutionOfProtocols does the same for every protocol in testdata, and once more
// with crashes that stop a process altogether.
func TestExecutionOfProtocols(t *testing.T) {
	for _, c := range oracle.Quick(t) {
		for _, stop := range []bool{false, true} {
			if c.Bounds.Restarts != 0 && !stop {
				continue // nobody comes back who has not stopped
			}
			c.Bounds.CrashStop = stop
			t.Run(fmt.Sprintf("%s/stop=%v", c.Name, stop), func(t *testing.T) {
				outcome, err := new(fates).executed(t.Context(), c, 12)
				require.NoError(t, err)
				require.Equal(t, agreed, outcome)
			})
		}
	}
}

// executed compares the executions of at most so many schedules within the bounds, and
// of as many beyond their budgets.
func (n *fates) executed(ctx context.Context, c oracle.Case, schedules int) (string, error) {
	g, err := provenance.Evaluate(ctx, c.Program, c.Bounds, provenance.Options{MaxFacts: maxFacts, MaxGates: maxGates, Messages: true})
	if errors.As(err, new(*limits.LimitError)) || errors.As(err, new(*solver.LimitError)) {
		return limited, nil
	}
	if errors.As(err, new(*limits.UndefinedError)) || errors.As(err, new(*limits.RunawayError)) {
		return undefined, nil
	}
	if err != nil {
		return "", err
	}
	m, err := lockstep.Compile(c.Program, c.Bounds, lockstep.Options{MaxFacts: maxFacts})
	if err != nil {
		return "", err
	}
	for _, s := range c.Schedules(schedules) {
		if err := n.sameExecution(ctx, g, m, s); err != nil {
			return "", err
		}
	}
	return agreed, n.other(ctx, c, g, m, schedules)
}

// other compares executions of schedules that exceed the budgets of the bounds.
func (n *fates) other(ctx context.Context, c oracle.Case, g *provenance.Graph, m *lockstep.Machine, all int) error {
	r := rand.New(rand.NewPCG(c.Seed, 3))
	for range all {
		s := rounds.Schedule{}
		for range r.IntN(6) {
			if unit := r.IntN(max(g.Universe.Len(), 1)); g.Universe.Len() > 0 && g.Universe.Alive(unit) && !g.Universe.IsChoice(unit) {
				s.Faults = append(s.Faults, g.Universe.Fault(unit))
			}
		}
		if s = s.Normal(); s.Check(c.Bounds) != nil || schedules.Assumed(s, c.Bounds) != nil {
			continue
		}
		w, err := g.Under(s)
		if err != nil {
			continue // beyond which too much is possible
		}
		want, err := m.Execute(ctx, s)
		if err != nil {
			continue // only what is within the bounds has to make sense
		}
		if err := n.same(w, want); err != nil {
			return fmt.Errorf("beyond the bounds: %w", err)
		}
		n.beyond.Add(1)
	}
	return nil
}

func (n *fates) sameExecution(ctx context.Context, g *provenance.Graph, m *lockstep.Machine, s rounds.Schedule) error {
	w, err := g.Under(s)
	if err != nil {
		return err
	}
	want, err := m.Execute(ctx, s)
	if err != nil {
		return err
	}
	return n.same(w, want)
}

// same compares the execution of a world with one that was executed.
func (n *fates) same(w *provenance.World, want *recording.Execution) error {
	have := w.Execution()
	n.count(have)
	for i := range max(len(have.Facts), len(want.Facts)) {
		if i >= len(have.Facts) || i >= len(want.Facts) || have.Facts[i].Compare(want.Facts[i]) != 0 {
			return fmt.Errorf("under %q fact %d is another one: %v and %v when executed", w.Schedule, i, have.Facts, want.Facts)
		}
	}
	return sameJSON(have, want)
}

func sameJSON(have, want *recording.Execution) error {
	a, err := have.MarshalJSON()
	if err != nil {
		return err
	}
	b, err := want.MarshalJSON()
	if err == nil && string(a) != string(b) {
		return fmt.Errorf("under %q: %s\nand when executed %s", have.Schedule, a, b)
	}
	return err
}
