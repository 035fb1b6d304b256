package system_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// numbered sends numbers from a variable that all executions of the program share.
type numbered struct {
	name   string
	number func() int
}

func (*numbered) Machine() system.Machine { return system.Machine{Single: true} }

func (n *numbered) Send(s *system.Step) {
	if n.name == "b" && s.Round() == 2 {
		s.Send("a", n.number())
	}
}

func (n *numbered) Receive(s *system.Step, inbox []system.Message) { s.Fact("heard", len(inbox)) }

// A system that is not exact says so in the first recording, and in those after it: in
// which round, at which process, and what it was. One that only makes something when it
// needs it first is exact.
func TestNotExactIsSaidAtOnce(t *testing.T) {
	for name, story := range map[string]struct {
		number  func(calls int) int
		inexact string
		made    int // executions, for one that is asked for
	}{
		"equal":         {func(int) int { return 7 }, "", 2},
		"made lazily":   {func(calls int) int { return min(calls, 2) }, "", 3},
		"always counts": {func(calls int) int { return calls }, `two executions of the schedule "seed 3; omit a>b@1" in one program differ from round 2 on, at process b, in a message: one has b > a: message("2"), the other b > a: message("3")`, 3},
	} {
		t.Run(name, func(t *testing.T) {
			calls, made := 0, 0
			s := &system.System{
				Name: t.Name(), Processes: []string{"a", "b"}, Rounds: 3,
				New: func(name string, _ *rand.Rand) system.Process {
					if name == "b" {
						made++
					}
					return &numbered{name: name, number: func() int { calls++; return story.number(calls) }}
				},
			}
			schedule, err := rounds.ParseSchedule("omit a>b@1; seed 3")
			require.NoError(t, err)
			for range 2 {
				e, err := s.Run(context.Background(), schedule, system.RunOptions{})
				require.NoError(t, err)
				require.Equal(t, story.inexact, e.Inexact)
			}
			require.Equal(t, story.made+1, made)
		})
	}
	t.Run("watched, facts only", func(t *testing.T) {
		calls, turns := 0, 0
		s := &system.System{Name: t.Name(), Processes: []string{"a", "b"}, Rounds: 3, New: func(name string, _ *rand.Rand) system.Process {
			return &numbered{name: name, number: func() int { calls++; return calls }}
		}}
		r := s.NewRunner()
		r.Options = system.RunOptions{Record: true, FactsOnly: true, Transition: func(system.Transition) { turns++ }}
		require.NoError(t, r.Run(context.Background(), rounds.Schedule{}))
		require.Equal(t, 6, turns, "each once")
		require.Contains(t, r.Execution().Inexact, "differ from round 2 on, at process b, in a message: ")
		require.Empty(t, r.Execution().Messages)
	})
}
