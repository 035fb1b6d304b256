package tickets_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/examples/tickets"
	"github.com/lineage-driven/ldfi/ldfi/ldfitest"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/stretchr/testify/require"
)

// TestTickets finds nothing, and nothing is forgotten in a crash.
func TestTickets(t *testing.T) {
	s := tickets.Careful()
	ldfitest.Run(t, s)
	require.NoError(t, s.CheckDurability(t.Context(), 50, 1))
	require.NoError(t, s.CheckDeterminism(t.Context(), 50, 1))
	require.NoError(t, s.CheckState(t.Context(), 50, 1))
}

// Only a crash within a round shows what the hasty one does wrong.
func TestHasty(t *testing.T) {
	r, err := search.Run(t.Context(), tickets.Hasty(), search.Options{Executions: 1000, Seed: 1})
	require.NoError(t, err)
	require.Equal(t, result.Violated, r.Verdict)
	require.Contains(t, r.First().Schedule.String(), "/between")
}

// No goroutine is left behind.
func TestEnds(t *testing.T) {
	before := runtime.NumGoroutine()
	_, err := search.Run(t.Context(), tickets.Careful(), search.Options{Executions: 200, Seed: 1})
	require.NoError(t, err)
	for end := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		require.True(t, time.Now().Before(end), "%d goroutines are left", runtime.NumGoroutine()-before)
	}
}
