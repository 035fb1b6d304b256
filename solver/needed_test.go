package solver

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNeeded makes invariants of random systems as small as they can be: what is left is one, and is none
// without any of its clauses.
func TestNeeded(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 6))
	smaller := 0
	for range 500 {
		system := randomTransitions(r)
		found, err := system.Reach(t.Context(), 0)
		require.NoError(t, err)
		if !found.Never {
			continue
		}
		var parts [][][]StateBit
		for _, clause := range found.Invariant {
			parts = append(parts, [][]StateBit{clause})
		}
		needed, err := system.Needed(t.Context(), parts, 10_000)
		require.NoError(t, err)
		var few [][]StateBit
		for i, clause := range found.Invariant {
			if needed[i] {
				few = append(few, clause)
			}
		}
		if len(few) < len(parts) {
			smaller++
		}
		require.NoError(t, system.CheckInvariant(t.Context(), few))
		for i := range few {
			require.Error(t, system.CheckInvariant(t.Context(), slices.Delete(slices.Clone(few), i, i+1)), "clause %d is not needed", i)
		}
	}
	require.Positive(t, smaller)
}
