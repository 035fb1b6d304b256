package shrink_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/shrink"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

func parse(t *testing.T, text string) rounds.Schedule {
	t.Helper()
	s, err := rounds.ParseSchedule(text)
	require.NoError(t, err)
	return s
}

// What is left is what the failure needs, and settings that are fixed.
func TestShrink(t *testing.T) {
	s := parse(t, "seed 3; ticks 2; crash a@4; isolate b@1..5; omit a>b@2")
	fails := func(s rounds.Schedule) (bool, error) {
		lasts := strings.Contains(s.String(), "isolate b@1..5") || strings.Contains(s.String(), "isolate b@2..5") || strings.Contains(s.String(), "isolate b@3..5")
		return lasts && strings.Contains(s.String(), "crash a@4"), nil
	}
	fewer, err := shrink.Faults(s, fails)
	require.NoError(t, err)
	require.Equal(t, parse(t, "seed 3; ticks 2; crash a@4; isolate b@1..5"), fewer)
	smaller, err := shrink.Schedule(s, rounds.Settings{Ticks: rounds.Set(2)}, fails)
	require.NoError(t, err)
	require.Equal(t, parse(t, "ticks 2; crash a@4; isolate b@3..5"), smaller)
}

func TestError(t *testing.T) {
	broken := errors.New("broken")
	for _, text := range []string{"crash a@1", "seed 1", "isolate a@1..2"} {
		_, err := shrink.Schedule(parse(t, text), rounds.Settings{}, func(rounds.Schedule) (bool, error) { return false, broken })
		require.ErrorIs(t, err, broken)
	}
}
