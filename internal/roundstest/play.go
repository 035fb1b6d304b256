package roundstest

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/universe"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// Play makes an execution in which every round has the same messages, each
// given as {from, to, relation, args...}, with the losses of the schedule.
func Play(t *testing.T, b rounds.Bounds, schedule string, messages ...[]string) *recording.Execution {
	t.Helper()
	s, err := rounds.ParseSchedule(schedule)
	require.NoError(t, err)
	env, err := universe.NewEnvironment(b, s)
	require.NoError(t, err)
	index := map[string]int{"": -1}
	for i, name := range b.Processes {
		index[name] = i
	}
	e := &recording.Execution{Bounds: b, Schedule: env.Schedule()}
	for round := 1; round <= b.EOT; round++ {
		for _, m := range messages {
			message := recording.Message{From: m[0], To: m[1], Round: round, Relation: m[2], Args: []specs.Value{specs.String(m[1])}}
			for _, arg := range m[3:] {
				message.Args = append(message.Args, specs.String(arg))
			}
			if to, ok := index[m[1]]; ok {
				message.Cause, message.Lost = env.Cause(index[m[0]], to, round)
			}
			e.Messages = append(e.Messages, message)
		}
	}
	e.Sort()
	return e
}

// Paused is an execution of a system written in Go with the faults that only
// those have.
func Paused(t *testing.T) *recording.Execution {
	t.Helper()
	s, err := rounds.ParseSchedule("seed 7; ticks 2; crash a@2; restart a@3; pause b@1..2")
	require.NoError(t, err)
	text := specs.String
	message := func(from, to string, round, arrival int, payload string) recording.Message {
		return recording.Message{From: from, To: to, Round: round, Arrival: arrival, Relation: "vote", Args: []specs.Value{text(to), text(payload)}}
	}
	lost := message("b", "a", 2, 0, "no")
	lost.Lost, lost.Cause = true, s.Faults[0]
	e := &recording.Execution{
		System: "election", Bounds: rounds.Bounds{Processes: []string{"a", "b"}, EOT: 3, Period: 1, CrashStop: true, Restarts: 1, Pauses: rounds.Unlimited}, Schedule: s,
		Facts:    []recording.Fact{{Relation: "leader", Args: []specs.Value{text("a"), specs.Int(3)}, Round: 1}, {Relation: "payload", Args: []specs.Value{text("b")}, Round: 3}},
		Messages: []recording.Message{message("a", "b", 1, 3, `{"term":3}`), lost, message("a", "b", 3, 0, "")},
	}
	e.Sort()
	require.NoError(t, e.Validate())
	return e
}
