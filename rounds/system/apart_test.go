package system_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// roundTeller sends the number of each round to all others, and reports what it gets.
type roundTeller struct{}

func (roundTeller) Send(s *system.Step) {
	s.Broadcast(s.Round())
	for _, r := range s.Requests() {
		s.Fact("asked", r.Payload)
	}
}

func (roundTeller) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		s.Fact("gets", m.From, m.Payload)
	}
}

func tellers() *system.System {
	return &system.System{Name: "tellers", Processes: []string{"a", "b"}, Rounds: 6, New: func(string, *rand.Rand) system.Process { return roundTeller{} },
		Requests: []system.Request{{Round: 1, Process: "b", Payload: "x"}}}
}

// What is sent on a link with a latency arrives so many rounds later, in its order, unless
// the link loses it when it is sent, or the receiver is down when it arrives. Who has not
// started does nothing, and gets nothing; what is asked of it waits.
func TestApart(t *testing.T) {
	for text, want := range map[string][]string{
		"latency a>b 2":                                   {"1@3", "2@4", "3@5", "4@6"},
		"latency a>b 2; cut a>b@2..3":                     {"1@3", "4@6"},
		"latency a>b 2; crash b@3":                        nil,
		"latency a>b 1; pause b@2..3":                     {"1@4", "2@4", "3@4", "4@5", "5@6"},
		"latency a>b 1; delay a>b@2+1; duplicate a>b@3+2": {"1@2", "2@4", "3@4", "4@5", "3@6", "5@6"},
		"start b@4":                {"4@4", "5@5", "6@6"},
		"start b@4; latency a>b 1": {"3@4", "4@5", "5@6"},
		"start b@3; crash b@2":     nil,
		"start b@3; pause b@2..4":  {"3@5", "4@5", "5@5", "6@6"},
		"start a@5,b@2":            {"5@5", "6@6"},
		"latency a>b 0,b>a 2; start a@1; omit a>b@1; seed 7": {"2@2", "3@3", "4@4", "5@5", "6@6"},
	} {
		s := tellers()
		schedule, err := rounds.ParseSchedule(text)
		require.NoError(t, err)
		e, err := s.Run(t.Context(), schedule, system.RunOptions{})
		require.NoError(t, err, text)
		require.NoError(t, e.Validate(), text)
		var got []string
		for _, f := range e.Facts {
			if f.Relation == "gets" && f.Args[0].Text() == "b" {
				got = append(got, fmt.Sprintf("%s@%d", f.Args[2].Text(), f.Round))
			}
		}
		require.ElementsMatch(t, want, got, text)
		start, _ := schedule.Settings.StartOf("b")
		for _, f := range e.Facts {
			if f.Relation == "asked" && schedule.Size() == 0 {
				require.Equal(t, max(start, 1), f.Round, text)
			}
		}
	}
}

// How far processes are apart follows from the seed, and is recorded; clients start last. A
// schedule that says some of it has the rest drawn.
func TestApartIsDrawn(t *testing.T) {
	s := tellers()
	s.Processes = append(s.Processes, "c")
	s.Apart = system.Apart{Rounds: 3, Last: []string{"a"}}
	seen := map[string]bool{}
	for seed := range uint64(40) {
		e, err := s.Run(t.Context(), rounds.Schedule{Settings: rounds.Settings{Seed: rounds.Set(seed)}}, system.RunOptions{})
		require.NoError(t, err)
		drawn := e.Schedule.Settings
		seen[drawn.Apart().String()] = true
		a, _ := drawn.StartOf("a")
		b, _ := drawn.StartOf("b")
		c, _ := drawn.StartOf("c")
		require.Equal(t, 1, min(b, c))
		require.Less(t, max(b, c), a)
		require.LessOrEqual(t, a, 7)
		require.NotEqual(t, b, c)

		again, err := s.Run(t.Context(), e.Schedule, system.RunOptions{})
		require.NoError(t, err)
		require.Equal(t, e, again)

		some := rounds.Settings{Seed: rounds.Set(seed)}
		some.SetStart("b", 5)
		other, err := s.Run(t.Context(), rounds.Schedule{Settings: some}, system.RunOptions{})
		require.NoError(t, err)
		require.Equal(t, drawn.With(some), other.Schedule.Settings)
	}
	require.Greater(t, len(seen), 30)
	s.Apart.Last = []string{"d"}
	require.ErrorContains(t, s.Validate(), `Apart.Last has "d", which is no process`)
}
