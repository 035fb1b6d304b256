package coreosraft_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/coreosraft"
	"github.com/lineage-driven/ldfi/rounds/roundstest"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Executions of a cluster of 3 for 60 rounds under random faults: without
// anybody looking, recorded, and judged by the properties.
func BenchmarkExecution(b *testing.B) {
	quiet := coreosraft.System(abc, nil)
	b.Run("plain", func(b *testing.B) { execute(b, busy(), system.RunOptions{}) })
	b.Run("recorded", func(b *testing.B) { execute(b, busy(), system.RunOptions{Record: true}) })
	b.Run("judged", func(b *testing.B) { judge(b, busy()) })
	b.Run("judged/no-clients", func(b *testing.B) { judge(b, quiet) })
}

// schedules returns random ones, as a search draws them.
func schedules(s *system.System) func() rounds.Schedule {
	u := rounds.NewUniverse(rounds.Bounds{Processes: s.Processes, EOT: s.Rounds, Isolations: 3, Period: 10, Crashes: 1, Restarts: 1, CrashStop: true})
	random := rand.New(rand.NewPCG(1, 1))
	return func() rounds.Schedule { return u.Random(random).With(rounds.Seed, random.Uint64()) }
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
	draw, j := schedules(s), s.NewJudge(compiled(b, s)...)
	b.ReportAllocs()
	speed := roundstest.StartSpeed()
	for b.Loop() {
		_, violations, err := j.Judge(b.Context(), draw())
		require.NoError(b, err)
		require.Empty(b, violations)
	}
	speed.Report(b, b.N)
}

func compiled(b *testing.B, s *system.System) []*property.Checker {
	var checkers []*property.Checker
	for _, p := range s.Properties {
		c, err := property.Compile(p)
		require.NoError(b, err)
		checkers = append(checkers, c)
	}
	return checkers
}
