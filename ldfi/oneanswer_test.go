package ldfi_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// TestOneReason asks why schedules break promises, where they are searched for, where each
// is executed alone, and where many are tried: of protocols that are violated. The
// reasons are the same, line by line.
func TestOneReason(t *testing.T) {
	asked := 0
	for _, e := range oracle.QuickExpected(t, filepath.Join("..", "testdata", "protocols", "expected.txt")) {
		if !e.Violated {
			continue
		}
		t.Run(e.Line, func(t *testing.T) {
			p, b, goals, err := e.Load()
			require.NoError(t, err)
			asked += sameReasons(t, p, b, goals)
		})
	}
	require.NotZero(t, asked)
}

// TestOneReasonOfBugs does the same with the bugs of the catalogue.
func TestOneReasonOfBugs(t *testing.T) {
	asked := 0
	for _, c := range oracle.Quick(t) {
		if strings.HasPrefix(c.Name, published) {
			t.Run(c.Name, func(t *testing.T) { asked += sameReasons(t, c.Program, c.Bounds, c.Goals) })
		}
	}
	require.NotZero(t, asked)
}

// sameReasons asks, and returns of how many schedules.
func sameReasons(t *testing.T, p *dedalus.Program, b rounds.Bounds, goals string) int {
	t.Helper()
	m := model(t, p, b, ldfi.Options{Goals: goals})
	r, err := m.Check(t.Context())
	require.NoError(t, err)
	trials, err := m.Trials(t.Context())
	require.NoError(t, err)
	for _, c := range r.Counterexamples {
		in, err := m.Inject(t.Context(), c.Schedule)
		require.NoError(t, err)
		require.Equal(t, c.Because, in.Because, "alone: %s", c.Schedule)
		if trials.Prepare(t.Context(), c.Schedule) == nil {
			require.Equal(t, c.Because, trials.Predict(c.Schedule).Because, "among many: %s", c.Schedule)
		}
	}
	return len(r.Counterexamples)
}
