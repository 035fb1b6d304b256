package hashicorpraft_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/adapters/hashicorpraft"
	"github.com/lineage-driven/ldfi/rounds"
)

// BenchmarkExecution is an execution of three servers at their usual timeouts, for 480
// rounds of 50 ms, as a search has it: with an isolation, a crash, and clients that
// write and read. With the overlay,
//
//	go test $(ldfi overlay) . -run '^$' -bench Execution -cpuprofile cpu.out
//
// also says where the time goes.
func BenchmarkExecution(b *testing.B) {
	s := hashicorpraft.System(abc)
	s.Requests = append(hashicorpraft.Every(abc, 60, 460, 10, hashicorpraft.Value),
		hashicorpraft.Every(abc, 65, 460, 10, func(int) any { return hashicorpraft.Read{} })...)
	schedule, err := rounds.ParseSchedule("seed 1; isolate a@100..160; crash b@200; restart b@240")
	require.NoError(b, err)
	r := s.NewRunner()
	r.Options.Record, r.Options.FactsOnly = true, true
	b.ReportAllocs()
	for b.Loop() {
		require.NoError(b, r.Run(context.Background(), schedule))
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "executions/s")
}
