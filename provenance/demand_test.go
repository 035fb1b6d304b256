package provenance_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/stretchr/testify/require"
)

// What is asked for is the same as in executions, whatever is left out because nothing
// that is asked for depends on it.
func TestDemand(t *testing.T) {
	demanded := func(ctx context.Context, c oracle.Case) (string, error) {
		last := []string{"pre", "post", "good"}
		o := provenance.Options{Only: append(slices.Clone(last), "violation"), Last: last, MaxFacts: maxFacts, MaxGates: maxGates}
		g, err := provenance.Evaluate(ctx, c.Program, c.Bounds, o)
		if err != nil {
			return "not evaluated", nil
		}
		m, err := lockstep.Compile(c.Program, c.Bounds, lockstep.Options{MaxFacts: maxFacts, Only: o.Only})
		if err != nil {
			return "", err
		}
		for _, s := range c.Schedules(32) {
			run, err := m.Run(ctx, s)
			if err != nil {
				return "not executed", nil
			}
			w, err := g.Under(s)
			if err != nil {
				return "", err
			}
			for round := 1; round <= c.Bounds.EOT; round++ {
				for _, name := range o.Only {
					if round < c.Bounds.EOT && name != "violation" {
						continue
					}
					var got, want []string
					for _, f := range g.Facts(name, round) {
						if w.Holds(f) {
							got = append(got, fmt.Sprint(f.Args()))
						}
					}
					for _, args := range run.Facts(name, round) {
						want = append(want, fmt.Sprint(args))
					}
					if !slices.Equal(got, want) {
						return "", fmt.Errorf("%s in round %d under %q: %s; executed: %s", name, round, s, got, want)
					}
				}
			}
		}
		return agreed, nil
	}
	campaign.Run(t, 500, demanded)
	for _, c := range oracle.Quick(t) {
		_, err := demanded(t.Context(), c)
		require.NoError(t, err, c.Name)
	}
}

// Of the last rounds little is needed.
func TestDemandLeavesOutWhatComesTooLate(t *testing.T) {
	for _, c := range oracle.Protocols(t) {
		if c.Name != "delivery/ack.ded" {
			continue
		}
		facts := func(last []string) (log, copies int) {
			g, err := provenance.Evaluate(t.Context(), c.Program, c.Bounds, provenance.Options{Only: []string{"pre", "post"}, Last: last})
			require.NoError(t, err)
			return len(g.Facts("pre", c.Bounds.EOT-1)), len(g.Facts("acknowledged", c.Bounds.EOT))
		}
		pre, acknowledged := facts(nil)
		require.NotZero(t, pre)
		require.NotZero(t, acknowledged)
		pre, acknowledged = facts([]string{"pre", "post"})
		require.Zero(t, pre)
		require.Zero(t, acknowledged)
	}
}
