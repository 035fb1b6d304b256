package virtual_test

import (
	"context"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// What the executor itself costs: three servers of which each has a goroutine that ticks
// once a round, for 480 rounds.
func BenchmarkExecution(b *testing.B) {
	s := clocks()
	s.Processes, s.Rounds = []string{"a", "b", "c"}, 480
	r := s.NewRunner()
	for b.Loop() {
		require.NoError(b, r.Run(context.Background(), rounds.Schedule{}))
	}
}
