package search_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/examples/tickets"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// Bounds with restarts are refused where a process that may crash cannot restart.
func TestRestartsNeedRestarters(t *testing.T) {
	session := func(b rounds.Bounds) error {
		target, err := search.NewTarget(election.Fixed(), nil)
		require.NoError(t, err)
		_, err = search.NewSession(target, search.Options{Bounds: b})
		return err
	}
	require.EqualError(t, session(rounds.Bounds{Crashes: 1, Restarts: 1}), `restarts: process a of system "election" cannot restart: `+
		`give it a method Restart(*system.Step) (system.Restarter), leave restarts out, or say that it does not crash (never-crash=a)`)
	require.ErrorContains(t, session(rounds.Bounds{Crashes: 1, Restarts: 1, NeverCrash: []string{"a", "c"}}), "process b")
	require.NoError(t, session(rounds.Bounds{Crashes: 1}))
	target, err := search.NewTarget(tickets.Careful(), nil)
	require.NoError(t, err)
	_, err = search.NewSession(target, search.Options{Bounds: rounds.Bounds{Crashes: 1, Restarts: 1}})
	require.NoError(t, err)
}
