package subject_test

import (
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// sleeper wakes up in a late round, unless it missed a message before. One that is deaf misses
// none.
type sleeper struct{ missed, deaf bool }

func (p *sleeper) Send(s *system.Step) { s.Broadcast("tick") }
func (p *sleeper) Receive(s *system.Step, inbox []system.Message) {
	p.missed = p.missed || len(inbox) == 0 && !p.deaf
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
	o := open(t, &subject.System{Command: host(t), Name: "sleepers"})
	in, err := o.Replay(t.Context(), schedule(t, ""))
	require.NoError(t, err)
	require.Equal(t, result.Holds, in.Verdict)
	require.Empty(t, in.Violations)
	require.Len(t, in.Awaited, 1)
	require.Equal(t, 12, in.Late.Rounds)
	require.Nil(t, in.Continued)
	require.Equal(t, `late, not stuck: awake after round 3: pre("awake after round 3"), but no post("awake after round 3") by the end of round 6; within 12 rounds it happens`, answertext.Lateness(in))

	in, err = o.Replay(t.Context(), schedule(t, "seed 7; isolate b@2"))
	require.NoError(t, err)
	require.Equal(t, result.Violated, in.Verdict)
	require.Len(t, in.Violations, 1)
	require.Equal(t, "still so in round 34, and with seed 8, 9 or 10 from round 3 on", in.Continued.String())
	require.Equal(t, in.Continued, subject.Broken(in).First().Continued)
	require.Empty(t, answertext.Lateness(in))
}

// grumpy are deaf sleepers that must not be awake.
func grumpy() *system.System {
	s := sleepers()
	s.New = func(string, *rand.Rand) system.Process { return &sleeper{deaf: true} }
	s.Name, s.Properties = "grumpy", append(s.Properties, rules.New("sleeps", "violation(P) :- awake(P, _)."))
	return s
}

// Who is late and breaks a promise by then is told, with the rounds in which that is a finding.
func TestWhatIsLateMayBreakSomething(t *testing.T) {
	o := open(t, &subject.System{Command: host(t), Name: "grumpy"})
	in, err := o.Replay(t.Context(), schedule(t, ""))
	require.NoError(t, err)
	require.Equal(t, result.Holds, in.Verdict)
	require.Equal(t, 1, in.Late.Broken)
	require.Equal(t, `late: awake after round 3: pre("awake after round 3"), but no post("awake after round 3") by the end of round 6; it happens within 12 rounds, but a property is violated by then: try --eot 12`, answertext.Lateness(in))
	require.Equal(t, "1 schedule was late, not stuck: the slowest took 12 rounds (ldfi waits for 8 times the rounds after the last fault); 1 of them violates a property after the last round of the search: try --eot 12", in.Late.String())

	a, err := open(t, &subject.System{Command: host(t), Name: "grumpy", Executions: 1}).Search(t.Context())
	require.NoError(t, err)
	require.Equal(t, result.Inconclusive, a.Verdict)
	require.Equal(t, a.Search.Late.Schedules, a.Search.Late.Broken, "a search tells it as well")

	longer := &subject.System{Command: host(t), Name: "grumpy", Common: subject.Common{Bounds: map[string]string{"eot": "12"}}}
	in, err = open(t, longer).Replay(t.Context(), schedule(t, ""))
	require.NoError(t, err)
	require.Equal(t, result.Violated, in.Verdict, "with so many rounds it is a finding")
}

// keeper stores what a client asks, and says in each round what it has.
type keeper struct{ stored bool }

func (k *keeper) Send(s *system.Step) { k.stored = k.stored || len(s.Requests()) > 0 }
func (k *keeper) Receive(s *system.Step, _ []system.Message) {
	if k.stored {
		s.Fact("stored")
	}
}
func (k *keeper) Restart(*system.Step) {}

// keepers have clients that ask a in these rounds.
func keepers(name string, asked ...int) *system.System {
	s := &system.System{
		Name: name, Processes: []string{"a", "b"}, Rounds: 10,
		New:        func(string, *rand.Rand) system.Process { return &keeper{} },
		Properties: []property.Property{property.EventualProgress("stored", 1, 3)},
	}
	for _, round := range asked {
		s.Requests = append(s.Requests, system.Request{Round: round, Process: "a", Payload: "x"})
	}
	return s
}

// Where clients ask nobody who is up behind the last fault, an answer that something has
// still not happened says so: it may be for that.
func TestNothingIsAskedAgain(t *testing.T) {
	for _, story := range []struct{ name, schedule, later string }{
		{"once", "crash a@1; restart a@4", "still so in round 52, and with seed 1, 2 or 3 from round 5 on; from round 3 on no client asks a process that is up"},
		{"twice", "crash a@1", "still so in round 73, and with seed 1, 2 or 3 from round 2 on; from round 2 on no client asks a process that is up"},
		{"nothing", "crash b@1", "still so in round 73, and with seed 1, 2 or 3 from round 2 on"},
	} {
		o := open(t, &subject.System{Command: host(t), Name: story.name})
		in, err := o.Replay(t.Context(), schedule(t, "seed 0; "+story.schedule))
		require.NoError(t, err)
		require.Equal(t, result.Violated, in.Verdict, story.name)
		require.Equal(t, story.later, in.Continued.String())
	}
	o := open(t, &subject.System{Command: host(t), Name: "twice"})
	in, err := o.Replay(t.Context(), schedule(t, "seed 0; crash a@1; restart a@4"))
	require.NoError(t, err)
	require.Equal(t, result.Holds, in.Verdict, "it is asked again behind the last fault")
}
