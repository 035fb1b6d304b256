package strategies_test

import (
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

// counting panics when it hears less than everything in round 7.
type counting struct{}

func (counting) Send(s *system.Step) { s.Broadcast("hello") }

func (counting) Receive(s *system.Step, inbox []system.Message) {
	if s.Process() == "a" && s.Round() == 7 && len(inbox) < 2 {
		panic("somebody is missing")
	}
}

// A panic is reported with the faults that it needs, and no others.
func TestPanic(t *testing.T) {
	target := target{
		System: &system.System{
			Name: "counting", Processes: []string{"a", "b", "c"}, Rounds: 12,
			New: func(string, *rand.Rand) system.Process { return counting{} },
		},
		Properties: []property.Property{property.UniquePerTerm("leader")},
		Bounds:     rounds.Bounds{Isolations: 3, Period: 4, Crashes: 1},
	}
	for _, whole := range []bool{false, true} {
		_, err := find(t.Context(), "spread", target, search.Options{Whole: whole})
		var failed *search.ExecutionError
		require.ErrorAs(t, err, &failed)
		require.ErrorContains(t, err, "process a, round 7, in Receive: panic at strategies/failure_test.go:")
		require.Equal(t, whole, len(failed.Schedule.Faults) > 1, "%s", failed.Schedule)
	}
}
