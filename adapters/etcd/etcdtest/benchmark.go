package etcdtest

import (
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// BenchmarkExecution measures executions of a cluster of 3 for 60 rounds under
// random faults: without anybody looking, recorded, and judged by the properties.
func (c Cluster) BenchmarkExecution(b *testing.B) {
	b.Run("plain", func(b *testing.B) { execute(b, c.Busy(), system.RunOptions{}) })
	b.Run("recorded", func(b *testing.B) { execute(b, c.Busy(), system.RunOptions{Record: true}) })
	b.Run("judged", func(b *testing.B) { judge(b, c.Busy()) })
	b.Run("judged/no-clients", func(b *testing.B) { judge(b, c(Processes)) })
}

// randomly returns random ones, as a search draws them.
func randomly(s *system.System) func() rounds.Schedule {
	u := schedules.New(rounds.Bounds{Processes: s.Processes, EOT: s.Rounds, Isolations: 3, Period: 10, Crashes: 1, Restarts: 1, CrashStop: true})
	random := rand.New(rand.NewPCG(1, 1))
	return func() rounds.Schedule {
		return u.Random(random).With(rounds.Settings{Seed: rounds.Set(random.Uint64())})
	}
}

func execute(b *testing.B, s *system.System, o system.RunOptions) {
	draw, r := randomly(s), s.NewRunner()
	r.Options = o
	b.ReportAllocs()
	speed := oracle.StartSpeed()
	for b.Loop() {
		require.NoError(b, r.Run(b.Context(), draw()))
	}
	speed.Report(b, b.N)
}

func judge(b *testing.B, s *system.System) {
	target, err := search.NewTarget(s, nil)
	require.NoError(b, err)
	draw, j := randomly(s), target.Judge(0, false)
	b.ReportAllocs()
	speed := oracle.StartSpeed()
	for b.Loop() {
		_, violations, err := j.Execute(b.Context(), draw())
		require.NoError(b, err)
		require.Empty(b, violations)
	}
	speed.Report(b, b.N)
}
