package strategies_test

import (
	"context"
	"testing"

	"github.com/lineage-driven/ldfi/examples/mirror"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/stretchr/testify/require"
)

// No set that is listed has all faults and choices of another, and a budget that is used
// up says how far it came.
func TestSetsAreNoPartsOfEachOther(t *testing.T) {
	target, err := search.NewTarget(mirror.Hasty(), nil)
	require.NoError(t, err)
	found := 0
	for _, executions := range []int{300, 3000} {
		s, err := search.NewSession(target, search.Options{Executions: executions, Bounds: target.DefaultBounds(search.Options{}.Bounds)})
		require.NoError(t, err)
		sets, err := s.Sets(context.Background(), search.Wanted{})
		require.NoError(t, err)
		require.False(t, sets.Complete)
		found += len(sets.Found)
		for i, a := range sets.Found {
			for j, b := range sets.Found {
				require.False(t, i != j && partOf(a.Schedule, b.Schedule), "%s is part of %s", a.Schedule, b.Schedule)
			}
		}
	}
	require.NotZero(t, found)
}
