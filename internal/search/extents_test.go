package search_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// An execution that ends while it goes on has not mended what it had violated before.
func TestEndsMendNothing(t *testing.T) {
	for _, end := range []string{search.NoPanic, search.NoExit, search.NoHang} {
		var told []int
		err := search.EachExtent(t.Context(), rounds.Schedule{}, []int{4, 8, 16}, func(n int) ([]result.Violation, error) {
			if n < 8 {
				return []result.Violation{{Property: "agreement"}}, nil
			}
			return []result.Violation{{Property: end, Text: "it ends"}}, nil
		}, func(n int, _ []result.Violation) bool {
			told = append(told, n)
			return true
		})
		require.ErrorAs(t, err, new(*search.ExecutionError), end)
		require.Equal(t, []int{4}, told)
	}
}
