package system_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// gambler draws a random number in every round, if it is told to.
type gambler struct{ draws bool }

func (g gambler) Send(s *system.Step) {
	if g.draws {
		s.Fact("drew", s.Rand().IntN(6))
	}
}
func (gambler) Receive(*system.Step, []system.Message) {}

// With the same faults executions differ where something is drawn, unless the
// settings say what.
func TestVaries(t *testing.T) {
	casino := func(draws bool, least, most int) *system.System {
		return &system.System{Name: "casino", Processes: []string{"a"}, Rounds: 2, MinTicks: least, MaxTicks: most,
			New: func(string, *rand.Rand) system.Process { return gambler{draws} }}
	}
	for _, c := range []struct {
		title    string
		system   *system.System
		settings string
		varies   bool
	}{
		{"nothing is drawn", casino(false, 0, 0), "", false},
		{"a process draws", casino(true, 0, 0), "", true},
		{"from a seed that is given", casino(true, 0, 0), "seed 3", false},
		{"ticks are drawn", casino(false, 1, 3), "", true},
		{"ticks are drawn from a seed that is given", casino(false, 1, 3), "seed 3", true},
		{"ticks are given", casino(false, 1, 3), "ticks 2", false},
		{"ticks are given, but a process draws", casino(true, 1, 3), "ticks 2", true},
		{"the ticks of a round are always the same", casino(false, 2, 2), "", false},
	} {
		settings, err := rounds.ParseSchedule(c.settings)
		require.NoError(t, err)
		require.Equal(t, c.varies, c.system.Varies(context.Background(), settings.Settings), c.title)
	}
}
