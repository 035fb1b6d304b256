package ldfi_test

import (
	"path/filepath"
	"testing"

	"github.com/lineage-driven/ldfi/internal/roundstest"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/stretchr/testify/require"
)

// TestExpected decides every line of the protocols' file of expected verdicts.
func TestExpected(t *testing.T) {
	all, err := roundstest.ReadExpected(filepath.Join("..", "testdata", "protocols", "expected.txt"))
	require.NoError(t, err)
	require.NotEmpty(t, all)
	for _, e := range all {
		t.Run(e.Line, func(t *testing.T) {
			p, b, goals, err := e.Load()
			require.NoError(t, err)
			r, err := ldfi.Check(t.Context(), p, b, ldfi.Options{Goals: goals})
			require.NoError(t, err)
			if e.Scenarios != nil {
				require.Equal(t, e.Scenarios.String(), r.Scope.Scenarios.String())
			}
			require.Nil(t, r.Limit)
			require.Equal(t, b.EOT, r.Decided)
			if !e.Violated {
				require.Equal(t, ldfi.Holds, r.Verdict)
				require.True(t, r.Complete)
				return
			}
			require.Equal(t, ldfi.Violated, r.Verdict)
			first := r.Counterexamples[0]
			require.Equal(t, e.Size, first.Size, first.Schedule.String())
			require.True(t, first.Minimal && first.Confirmed)
			require.Equal(t, first.Violations, r.Violations)
			if e.Faults != nil {
				in, err := ldfi.Inject(t.Context(), p, b, *e.Faults, ldfi.Options{Goals: goals})
				require.NoError(t, err)
				require.Equal(t, ldfi.Violated, in.Verdict)
				require.True(t, in.Within)
				require.Equal(t, e.Size, in.Schedule.Size())
			}
		})
	}
}
