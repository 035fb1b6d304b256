package system_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// caller sends its name to all in each round, and reports whom it hears and what it is
// asked. It restarts with nothing.
type caller struct{}

func (caller) Send(s *system.Step) {
	s.Broadcast(s.Process())
	for _, r := range s.Requests() {
		s.Fact("asked", specs.Int(int64(r.ID)))
	}
}

func (caller) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		s.Fact("heard", specs.String(m.From))
	}
}

func (caller) Restart(*system.Step) {}

// callers is a system in which d joins in round 3.
func callers() *system.System {
	return &system.System{
		Name: "callers", Processes: []string{"a", "b", "d"}, Rounds: 5, Joins: map[string]int{"d": 3},
		New:      func(string, *rand.Rand) system.Process { return caller{} },
		Requests: []system.Request{{Round: 2, Process: "d", Payload: "x"}, {Round: 3, Process: "d", Payload: "y"}},
	}
}

// Before it joins a process sends, receives and is asked nothing; from then on it is as
// any other, and what was sent to it before is in no recording.
func TestProcessThatJoinsLater(t *testing.T) {
	s := callers()
	for schedule, without := range map[string][]string{
		"":                       nil,
		"omit a>d@3":             {"heard(d, a)@3"},
		"crash d@3; restart d@5": {"heard(a, d)@3", "heard(b, d)@3", "heard(d, a)@3", "heard(d, b)@3", "heard(a, d)@4", "heard(b, d)@4", "heard(d, a)@4", "heard(d, b)@4", "asked(d, 2)@3"},
		"partition a,d|b@3..4":   nil, // of three processes it is an isolation of b, and refused as such
	} {
		faults, err := rounds.ParseSchedule(schedule)
		require.NoError(t, err)
		e, err := s.Run(t.Context(), faults, system.RunOptions{Record: true})
		if schedule == "partition a,d|b@3..4" {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err)
		require.NoError(t, e.Validate())
		var want []string
		for round := 1; round <= 5; round++ {
			for _, p := range s.Processes {
				for _, q := range s.Processes {
					if p != q && (p != "d" && q != "d" || round >= 3) {
						want = append(want, fmt.Sprintf("heard(%s, %s)@%d", p, q, round))
					}
				}
			}
		}
		want = append(want, "asked(d, 2)@3")
		want = slices.DeleteFunc(want, func(text string) bool { return slices.Contains(without, text) })
		var have []string
		for _, f := range e.Facts {
			if f.Relation != "request" {
				have = append(have, fmt.Sprintf("%s(%s, %s)@%d", f.Relation, f.Args[0].Text(), f.Args[1].Text(), f.Round))
			}
		}
		require.ElementsMatch(t, want, have, schedule)
		for _, m := range e.Messages {
			require.False(t, m.Round < 3 && (m.From == "d" || m.To == "d"), "%s", m)
		}
	}
}

// No fault strikes a process before it joins.
func TestFaultsBeforeTheJoinAreRefused(t *testing.T) {
	for _, schedule := range []string{"crash d@2", "omit a>d@1", "isolate d@1..3", "pause d@2"} {
		faults, err := rounds.ParseSchedule(schedule)
		require.NoError(t, err)
		_, err = callers().Run(t.Context(), faults, system.RunOptions{})
		require.ErrorContains(t, err, "d joins in round 3: nothing strikes it before (join=d@3)", schedule)
	}
	wrong := callers()
	wrong.Joins = map[string]int{"e": 2}
	require.ErrorContains(t, wrong.Validate(), `join=e@2`)
}
