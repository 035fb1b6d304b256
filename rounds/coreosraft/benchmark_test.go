package coreosraft_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// Executions of a cluster of 3 for 60 rounds, with writes and reads.
func BenchmarkExecution(b *testing.B) {
	for _, bench := range []struct {
		name    string
		options system.RunOptions
	}{{"plain", system.RunOptions{}}, {"recording", system.RunOptions{Record: true}}} {
		b.Run(bench.name, func(b *testing.B) {
			s := busy()
			bounds := s.Bounds(0)
			bounds.Isolations, bounds.Period = 3, 10
			u, random := rounds.NewUniverse(bounds), rand.New(rand.NewPCG(1, 1))
			r := s.NewRunner()
			r.Options = bench.options
			b.ReportAllocs()
			for b.Loop() {
				require.NoError(b, r.Run(context.Background(), u.Random(random).With(rounds.Seed, random.Uint64())))
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "executions/s")
		})
	}
}
