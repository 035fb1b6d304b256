package system_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// quiet sends a message to everybody in each round, and does nothing else.
type quiet struct{ payload any }

func (q *quiet) Send(s *system.Step)                  { s.Broadcast(q.payload) }
func (*quiet) Receive(*system.Step, []system.Message) {}
func (*quiet) Fingerprint() string                    { return "quiet" }

// What the harness itself costs: 3 processes for 60 rounds, so divide by 180.
func BenchmarkRunner(b *testing.B) {
	s := &system.System{
		Name: "quiet", Processes: []string{"a", "b", "c"}, Rounds: 60,
		New: func(string, *rand.Rand) system.Process { return &quiet{"hello"} },
	}
	schedule := rounds.Schedule{Faults: []rounds.Fault{{Kind: rounds.Isolate, Process: "b", Round: 3, Until: 6}, {Kind: rounds.Crash, Process: "c", Round: 50}}}
	for _, bench := range []struct {
		name    string
		options system.RunOptions
	}{
		{"plain", system.RunOptions{}},
		{"transitions", system.RunOptions{Transition: func(system.Transition) {}}},
		{"recording", system.RunOptions{Record: true}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			r := s.NewRunner()
			r.Options = bench.options
			b.ReportAllocs()
			for b.Loop() {
				require.NoError(b, r.Run(context.Background(), schedule))
			}
		})
	}
}
