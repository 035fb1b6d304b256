package system_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// listener counts how often it is told of a crash, and knows nothing else.
type listener struct{ told int }

func (p *listener) Send(s *system.Step)                        { s.Broadcast(p.told) }
func (p *listener) Receive(s *system.Step, _ []system.Message) { s.Fact("told", p.told) }
func (p *listener) Restart(*system.Step)                       {}
func (p *listener) Crash()                                     { p.told++ }
func (p *listener) Fingerprint() string                        { return fmt.Sprint(p.told) }
func (p *listener) Snapshot() any                              { return p.told }
func (p *listener) Restore(snapshot any)                       { p.told = snapshot.(int) }

// A process that is paused when it comes back can crash again before it does anything:
// it was told twice in one state, and does not do the same as when it was told once.
func TestToldTwiceInOneState(t *testing.T) {
	s := &system.System{
		Name: "listeners", Processes: []string{"a", "b"}, Rounds: 4,
		New:    func(string, *rand.Rand) system.Process { return &listener{} },
		Faults: rounds.Bounds{Crashes: 3, Restarts: 3, Pauses: 2, Period: 2},
	}
	var told []int
	for _, text := range []string{"crash a@3; restart a@3", "crash a@2; restart a@2; pause a@2; crash a@3; restart a@3"} {
		schedule, err := rounds.ParseSchedule(text)
		require.NoError(t, err)
		runner := s.NewRunner()
		runner.Options.Transition = func(o system.Transition) {
			if o.Process == "a" && o.Round == 3 {
				require.Equal(t, "0", o.State)
				told = append(told, o.Told)
			}
		}
		require.NoError(t, runner.Run(t.Context(), schedule))
	}
	require.Equal(t, []int{1, 2}, told)
	require.NoError(t, s.CheckState(t.Context(), 3000, 1))
}

// pausing is a listener that comes to a point in every round.
type pausing struct{ listener }

func (*pausing) CrashPoints() []string { return []string{"x"} }
func (p *pausing) Send(s *system.Step) { s.At("x") }

// A paused process comes to no point, also in the last round.
func TestPausedProcessReachesNoPoint(t *testing.T) {
	s := &system.System{
		Name: "pausing", Processes: []string{"a"}, Rounds: 4,
		New: func(string, *rand.Rand) system.Process { return &pausing{} },
	}
	for text, unreached := range map[string]string{
		"crash a@4/x":               "",
		"crash a@4/x; pause a@4":    "crash a@4/x",
		"crash a@3/x; pause a@3":    "crash a@3/x",
		"crash a@3/x; pause a@1":    "",
		"crash a@2/x; pause a@1..4": "crash a@2/x",
	} {
		schedule, err := rounds.ParseSchedule(text)
		require.NoError(t, err)
		e, err := s.Run(t.Context(), schedule, system.RunOptions{})
		require.NoError(t, err)
		require.Equal(t, unreached, e.Unreached.String(), text)
	}
}
