package etcdtest

import (
	"fmt"
	"os"
	"runtime"
	"testing"

	"github.com/lineage-driven/ldfi/internal/remote"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// Main is what TestMain has to do. It makes a host of the program if it was
// started as one, which [Cluster.BenchmarkWire] does.
func (c Cluster) Main(m *testing.M) {
	if os.Getenv("HOST") == "" {
		os.Exit(m.Run())
	}
	if err := wire.Serve(c.Busy()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// BenchmarkWire measures the same by a host that runs on one core: schedules that
// are drawn here and sent to it, and those that it draws by itself. The processor
// time is that of both programs. For comparison it searches here as well, with one
// worker and with as much memory reserved as [wire.Serve] does.
func (c Cluster) BenchmarkWire(b *testing.B) {
	b.Run("here", func(b *testing.B) {
		reserve := make([]byte, 32<<20)
		defer runtime.KeepAlive(reserve)
		target, err := search.NewTarget(c.Busy(), nil)
		require.NoError(b, err)
		b.ResetTimer()
		speed := oracle.StartSpeed()
		o := searched(b)
		o.Workers = 1
		a, err := strategies.Run(b.Context(), target, o)
		require.NoError(b, err)
		require.Equal(b, b.N, a.Search.Executions, "%s", a.Summary())
		speed.Report(b, b.N)
	})
	b.Run("execute", func(b *testing.B) {
		onHost(b, func(s *remote.System, o search.Options) (*result.Answer, error) {
			o.Workers = 16
			return strategies.Run(b.Context(), &s.Target, o)
		})
	})
	b.Run("search", func(b *testing.B) {
		onHost(b, func(s *remote.System, o search.Options) (*result.Answer, error) { return s.Search(b.Context(), o) })
	})
}

// searched is what the searches are for.
func searched(b *testing.B) search.Options {
	return search.Options{
		Strategy: "spread", Bounds: rounds.Bounds{Isolations: 3, Period: 10, Crashes: 1, Restarts: 1}, Seed: 1, Executions: b.N,
	}
}

func onHost(b *testing.B, find func(*remote.System, search.Options) (*result.Answer, error)) {
	b.Setenv("HOST", "yes")
	b.Setenv("GOMAXPROCS", "1")
	program, err := os.Executable()
	require.NoError(b, err)
	speed := oracle.StartSpeed()
	host, err := remote.Start(b.Context(), "'"+program+"'", remote.Options{})
	require.NoError(b, err)
	s, err := host.System("")
	require.NoError(b, err)
	b.ResetTimer()
	r, err := find(s, searched(b))
	require.NoError(b, err)
	require.Equal(b, b.N, r.Search.Executions, "%s", r.Summary())
	require.NoError(b, host.Close())
	speed.Report(b, b.N)
}
