package systems

import (
	"testing"

	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// RequireSelf requires that executions of systems repeat, and that their processes go on
// from a state as they did before.
func RequireSelf(t testing.TB, systems ...*system.System) {
	t.Helper()
	for _, s := range systems {
		require.NoError(t, s.CheckDeterminism(t.Context(), 50, 1), s.Name)
		require.NoError(t, s.CheckState(t.Context(), 50, 1), s.Name)
	}
}
