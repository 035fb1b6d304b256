package oracle

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
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
	env, err := schedules.NewEnvironment(b, s)
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
