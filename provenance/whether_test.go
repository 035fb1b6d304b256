package provenance_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// A relation that is evaluated as a whole has a fact in a round exactly if an execution
// has one.
func TestWholeRelations(t *testing.T) {
	campaign.Run(t, 500, func(ctx context.Context, c oracle.Case) (string, error) {
		return agreeAsWhole(ctx, c, 32)
	})
	wholes := 0
	for _, c := range oracle.Quick(t) {
		outcome, err := agreeAsWhole(t.Context(), c, 16)
		require.NoError(t, err, c.Name)
		if outcome == whole {
			wholes++
		}
	}
	require.Greater(t, wholes, 10, "protocols with a relation that is evaluated as a whole")
}

const (
	whole   = "with whole relations"
	nothing = "nothing as a whole"
)

// agreeAsWhole evaluates all relations as a whole of which that is possible, and
// compares them with executions under at most so many schedules.
func agreeAsWhole(ctx context.Context, c oracle.Case, schedules int) (string, error) {
	names := map[string]int{}
	for _, r := range c.Program.Rules {
		names[r.Head.Relation] = 0
	}
	g, err := provenance.Evaluate(ctx, c.Program, c.Bounds, provenance.Options{MaxFacts: maxFacts, MaxGates: maxGates, Whether: names})
	if err != nil {
		return "not evaluated", nil
	}
	m, err := lockstep.Compile(c.Program, c.Bounds, lockstep.Options{MaxFacts: maxFacts})
	if err != nil {
		return "", err
	}
	outcome := nothing
	for _, s := range c.Schedules(schedules) {
		run, err := m.Run(ctx, s)
		if err != nil {
			return "not executed", nil
		}
		w, err := g.Under(s)
		if err != nil {
			return "", err
		}
		for name := range names {
			for round := 1; round <= c.Bounds.EOT; round++ {
				some, known := g.Whole(name, round)
				if !known {
					continue
				}
				outcome = whole
				if got, want := w.True(some), len(run.Facts(name, round)) > 0; got != want {
					return "", fmt.Errorf("%s has a fact in round %d under %q: %t by its condition, %t in the execution", name, round, s, got, want)
				}
			}
		}
	}
	return outcome, nil
}

// Who is neither compared nor read again makes no difference, but for where a rule
// fires; and rounds in which nothing changes make no gates.
func TestWholeRelationsAreSmall(t *testing.T) {
	p, err := dedalus.ParseText("pairs.ded", `
		m("a", 1)@1; m("a", 2)@2; m("b", 3)@1; m("c", 4)@3; to("a")@1; to("b")@1; to("c")@1;
		got(Q, X)@async :- m(P, X), to(Q)@1;
		got("nobody", 5)@next :- got(P, X);
		got(P, X)@next :- got(P, X);
		violation(P, X, Q, Y) :- got(P, X), got(Q, Y), X < Y;
	`)
	require.NoError(t, err)
	b := rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 6, Omissions: rounds.Unlimited}
	full, err := provenance.Evaluate(t.Context(), p, b, provenance.Options{})
	require.NoError(t, err)
	g, err := provenance.Evaluate(t.Context(), p, b, provenance.Options{Whether: map[string]int{"violation": 0}})
	require.NoError(t, err)
	require.Less(t, 2*g.Circuit.Gates(), full.Circuit.Gates())
	require.Empty(t, g.Facts("violation", 6))
	fifth, known := g.Whole("violation", 5)
	require.True(t, known)
	sixth, _ := g.Whole("violation", 6)
	require.Equal(t, fifth, sixth, "nothing has changed")

	g, err = provenance.Evaluate(t.Context(), p, b, provenance.Options{Whether: map[string]int{"violation": 1}})
	require.NoError(t, err)
	require.NotEmpty(t, g.Facts("violation", 2), "the first round in which there are any")
	_, known = g.Whole("violation", 3)
	require.True(t, known)
}
