package subject_test

import (
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

// sleeper wakes up in a late round, unless it missed a message before.
type sleeper struct{ missed bool }

func (p *sleeper) Send(s *system.Step) { s.Broadcast("tick") }
func (p *sleeper) Receive(s *system.Step, inbox []system.Message) {
	p.missed = p.missed || len(inbox) == 0
	if s.Round() > 9 && !p.missed {
		s.Fact("awake")
	}
}

func sleepers() *system.System {
	return &system.System{
		Name: "sleepers", Processes: []string{"a", "b"}, Rounds: 6,
		New:        func(string, *rand.Rand) system.Process { return &sleeper{} },
		Properties: []property.Property{property.EventualProgress("awake", 1, 3)},
	}
}

// A schedule that is executed again is judged like one that is found: what is late
// violates nothing, and what is stuck does.
func TestReplayOfWhatIsLate(t *testing.T) {
	o := open(t, subject.Subject{System: host(t), Name: "sleepers"})
	in, err := o.Replay(t.Context(), schedule(t, ""))
	require.NoError(t, err)
	require.Equal(t, result.Holds, in.Verdict)
	require.Empty(t, in.Violations)
	require.Len(t, in.Awaited, 1)
	require.Equal(t, 12, in.Late.Rounds)
	require.Nil(t, in.Continued)
	require.Equal(t, `late, not stuck: awake after round 3: pre("awake after round 3"), but no post("awake after round 3") by the end of round 6, and no longer so in 12 rounds`, subject.Lateness(in))

	in, err = o.Replay(t.Context(), schedule(t, "seed 7; isolate b@2"))
	require.NoError(t, err)
	require.Equal(t, result.Violated, in.Verdict)
	require.Len(t, in.Violations, 1)
	require.Equal(t, "still so in round 34, and with seed 8, 9 or 10 from round 3 on", in.Continued.String())
	require.Equal(t, in.Continued, subject.Broken(in).First().Continued)
	require.Empty(t, subject.Lateness(in))
}
