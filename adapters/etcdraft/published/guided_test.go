package published_test

import (
	"os"
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcdraft/published"
	"github.com/lineage-driven/ldfi/internal/testing/systems"
	"github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/stretchr/testify/require"
)

// Two leaders one after the other, each with who the other removes, show ConfChangeBug in some of
// the first executions, without a word about which links are lost. They do not with what mends it.
func TestTwoRemovals(t *testing.T) {
	text, err := os.ReadFile("two_removals.mg")
	require.NoError(t, err)
	g, err := guide.Parse("two_removals.mg", string(text))
	require.NoError(t, err)
	require.LessOrEqual(t, len(g.Rules()), 6)
	found := 0
	for seed := range uint64(10) {
		_, violated := systems.Steered(t, published.ConfChange(), g, seed)
		found += min(1, len(violated))
		_, violated = systems.Steered(t, published.Removals(), g, seed)
		require.Empty(t, violated)
	}
	require.Positive(t, found)
}
