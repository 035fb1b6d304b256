package wire_test

import (
	"os"
	"testing"

	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/stretchr/testify/require"
)

// BenchmarkExecutions compares executions in this program, over the protocol,
// and by a host that searches by itself.
func BenchmarkExecutions(b *testing.B) {
	local := replog.Fixed()
	target := search.Target{System: local, Bounds: bounds(local)}
	remote := func(b *testing.B) *wire.System {
		b.Setenv("HOST", "replog")
		program, err := os.Executable()
		require.NoError(b, err)
		r, err := wire.Start(b.Context(), "'"+program+"'", wire.Options{})
		require.NoError(b, err)
		b.Cleanup(func() { require.NoError(b, r.Close()) })
		s, err := r.System(local.Name)
		require.NoError(b, err)
		return s
	}
	b.Run("here", func(b *testing.B) {
		_, err := search.Spread.Search(b.Context(), target, search.Options{Executions: b.N})
		require.NoError(b, err)
	})
	b.Run("wire", func(b *testing.B) {
		s := remote(b)
		b.ResetTimer()
		_, err := search.Spread.Search(b.Context(), s.Target(target.Bounds), search.Options{Executions: b.N, Workers: 16})
		require.NoError(b, err)
	})
	b.Run("host", func(b *testing.B) {
		s := remote(b)
		b.ResetTimer()
		_, err := s.Search(b.Context(), "spread", s.Target(target.Bounds), search.Options{Executions: b.N})
		require.NoError(b, err)
	})
}
