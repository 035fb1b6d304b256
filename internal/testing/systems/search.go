package systems

import (
	"testing"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// Search searches a system within its own faults. The strategy "" is the default.
func Search(t testing.TB, s *system.System, strategy string) *result.Answer {
	t.Helper()
	answer, err := search.Run(t.Context(), s, search.Options{Bounds: s.Faults, Strategy: strategy, Seed: 1, Executions: 10_000})
	require.NoError(t, err)
	return answer
}

// RequireLeast requires that a search by default finds so many faults, or with 0 that it
// certifies that there are none.
func RequireLeast(t testing.TB, s *system.System, faults int) {
	t.Helper()
	answer := Search(t, s, "")
	if faults == 0 {
		require.Equal(t, result.Holds, answer.Verdict, answer.Summary())
		return
	}
	require.Equal(t, result.Violated, answer.Verdict, answer.Summary())
	require.Equal(t, faults, answer.First().Size, answer.Summary())
}
