package etcdraft_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcdraft"
	"github.com/lineage-driven/ldfi/internal/roundstest"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// Executions of a cluster of 3 for 60 rounds under random faults: without
// anybody looking, recorded, and judged by the properties.
func BenchmarkExecution(b *testing.B) {
	quiet := etcdraft.System(abc, nil)
	b.Run("plain", func(b *testing.B) { execute(b, busy(), system.RunOptions{}) })
	b.Run("recorded", func(b *testing.B) { execute(b, busy(), system.RunOptions{Record: true}) })
	b.Run("judged", func(b *testing.B) { judge(b, busy()) })
	b.Run("judged/no-clients", func(b *testing.B) { judge(b, quiet) })
}

// schedules returns random ones, as a search draws them.
func schedules(s *system.System) func() rounds.Schedule {
	u := rounds.NewUniverse(rounds.Bounds{Processes: s.Processes, EOT: s.Rounds, Isolations: 3, Period: 10, Crashes: 1, Restarts: 1, CrashStop: true})
	random := rand.New(rand.NewPCG(1, 1))
	return func() rounds.Schedule {
		return u.Random(random).With(rounds.Settings{Seed: rounds.Set(random.Uint64())})
	}
}

func execute(b *testing.B, s *system.System, o system.RunOptions) {
	draw, r := schedules(s), s.NewRunner()
	r.Options = o
	b.ReportAllocs()
	speed := roundstest.StartSpeed()
	for b.Loop() {
		require.NoError(b, r.Run(b.Context(), draw()))
	}
	speed.Report(b, b.N)
}

func judge(b *testing.B, s *system.System) {
	draw, j := schedules(s), s.NewJudge(compiled(b, s.Properties)...)
	b.ReportAllocs()
	speed := roundstest.StartSpeed()
	for b.Loop() {
		_, violations, err := j.Judge(b.Context(), draw())
		require.NoError(b, err)
		require.Empty(b, violations)
	}
	speed.Report(b, b.N)
}

// TestMain makes a host of this program if it was started as one.
func TestMain(m *testing.M) {
	if os.Getenv("HOST") == "" {
		os.Exit(m.Run())
	}
	if err := wire.Serve(busy()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// The same by a host that runs on one core: schedules that are drawn here and
// sent to it, and those that it draws by itself. The processor time is that of
// both programs.
func BenchmarkWire(b *testing.B) {
	b.Run("execute", func(b *testing.B) {
		onHost(b, func(s *wire.System, t search.Target, o search.Options) (*result.Answer, error) {
			o.Workers = 16
			return search.Spread.Search(b.Context(), s.Target(t.Bounds), o)
		})
	})
	b.Run("search", func(b *testing.B) {
		onHost(b, func(s *wire.System, t search.Target, o search.Options) (*result.Answer, error) {
			return s.Search(b.Context(), "spread", t, o)
		})
	})
}

func onHost(b *testing.B, find func(*wire.System, search.Target, search.Options) (*result.Answer, error)) {
	b.Setenv("HOST", "yes")
	b.Setenv("GOMAXPROCS", "1")
	program, err := os.Executable()
	require.NoError(b, err)
	speed := roundstest.StartSpeed()
	host, err := wire.Start(b.Context(), "'"+program+"'", wire.Options{})
	require.NoError(b, err)
	s, err := host.System("")
	require.NoError(b, err)
	b.ResetTimer()
	r, err := find(s, s.Target(rounds.Bounds{Isolations: 3, Period: 10, Crashes: 1, Restarts: 1}), search.Options{Seed: 1, Executions: b.N})
	require.NoError(b, err)
	require.Equal(b, b.N, r.Search.Executions, "%v", r)
	require.NoError(b, host.Close())
	speed.Report(b, b.N)
}
