package ldfi_test

import (
	"path/filepath"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// TestExpected decides every line of the protocols' file of expected verdicts.
func TestExpected(t *testing.T) {
	all, err := oracle.ReadExpected(filepath.Join("..", "testdata", "protocols", "expected.txt"))
	require.NoError(t, err)
	require.NotEmpty(t, all)
	for _, e := range all {
		t.Run(e.Line, func(t *testing.T) {
			p, b, goals, err := e.Load()
			require.NoError(t, err)
			r, err := model(t, p, b, ldfi.Options{Goals: goals}).Check(t.Context())
			require.NoError(t, err)
			if e.Scenarios != nil {
				require.Equal(t, e.Scenarios.String(), r.Scope.Scenarios.String())
			}
			require.Nil(t, r.Limit)
			require.Equal(t, b.EOT, r.Decided)
			if !e.Violated {
				require.Equal(t, result.Holds, r.Verdict)
				require.True(t, r.Complete)
				return
			}
			require.Equal(t, result.Violated, r.Verdict)
			first := r.Counterexamples[0]
			require.Equal(t, e.Size, first.Size, first.Schedule.String())
			require.True(t, first.Minimal && first.Confirmed)
			if e.Faults != nil {
				in, err := model(t, p, b, ldfi.Options{Goals: goals}).Inject(t.Context(), *e.Faults)
				require.NoError(t, err)
				require.Equal(t, result.Violated, in.Verdict)
				require.True(t, in.Within)
				require.Equal(t, e.Size, in.Schedule.Size())
			}
		})
	}
}
