package lease_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/examples/lease"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// clocks lets every clock run fast or slow, from any round on.
var clocks = rounds.Bounds{FastClocks: rounds.Unlimited, SlowClocks: rounds.Unlimited, Period: 14}

func find(t *testing.T, s *system.System, b rounds.Bounds) *result.Answer {
	t.Helper()
	a, err := search.Run(t.Context(), s, search.Options{Strategy: "exhaustive", Bounds: b})
	require.NoError(t, err)
	return a
}

// Losses, crashes and pauses alone break no lease; one clock that runs wrong does.
func TestOneWrongClockBreaksALease(t *testing.T) {
	losses := rounds.Bounds{Isolations: 1, Cuts: 1, Omissions: 1, Crashes: 1, Period: 7}
	require.Equal(t, result.Holds, find(t, lease.Trusting(), losses).Verdict)
	for _, b := range []rounds.Bounds{
		{SlowClocks: 1, Period: 14}, {FastClocks: 1, Period: 14}, {Jumps: 1, MaxJump: 8},
	} {
		a := find(t, lease.Trusting(), b)
		require.Equal(t, result.Violated, a.Verdict, "%s", b)
		require.Equal(t, 1, a.First().Schedule.Size())
		t.Log(a.First().Schedule)
	}
}

// A margin is enough for clocks that are wrong by a factor of two, and not if another
// one jumps; a fence is enough for both.
func TestRepairs(t *testing.T) {
	require.Equal(t, result.Holds, find(t, lease.Careful(), clocks).Verdict)
	require.Equal(t, result.Holds, find(t, lease.Fenced(), clocks).Verdict)
	jumps := rounds.Bounds{Jumps: 1, MaxJump: 8, SlowClocks: 1, Period: 14}
	require.Equal(t, result.Violated, find(t, lease.Careful(), jumps).Verdict)
	require.Equal(t, result.Holds, find(t, lease.Fenced(), jumps).Verdict)
}
