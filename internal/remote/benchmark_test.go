package remote_test

import (
	"os"
	"testing"

	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/internal/remote"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/stretchr/testify/require"
)

// BenchmarkExecutions compares executions in this program, over the protocol,
// and by a host that searches by itself.
func BenchmarkExecutions(b *testing.B) {
	local := replog.Fixed()
	target, err := search.NewTarget(local, nil)
	require.NoError(b, err)
	spread := func(b *testing.B) search.Options {
		return search.Options{Strategy: "spread", Bounds: bounds(local), Executions: b.N}
	}
	remote := func(b *testing.B) *remote.System {
		b.Setenv("HOST", "replog")
		program, err := os.Executable()
		require.NoError(b, err)
		r, err := remote.Start(b.Context(), "'"+program+"'", remote.Options{})
		require.NoError(b, err)
		b.Cleanup(func() { require.NoError(b, r.Close()) })
		s, err := r.System(local.Name)
		require.NoError(b, err)
		return s
	}
	b.Run("here", func(b *testing.B) {
		_, err := strategies.Run(b.Context(), target, spread(b))
		require.NoError(b, err)
	})
	b.Run("wire", func(b *testing.B) {
		s := remote(b)
		b.ResetTimer()
		o := spread(b)
		o.Workers = 16
		_, err := strategies.Run(b.Context(), &s.Target, o)
		require.NoError(b, err)
	})
	b.Run("host", func(b *testing.B) {
		s := remote(b)
		b.ResetTimer()
		_, err := s.Search(b.Context(), spread(b))
		require.NoError(b, err)
	})
}
