package rounds_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// The rounds of phases have names, and their number is the period.
func TestPhasesWithNames(t *testing.T) {
	b, _, err := rounds.BoundsOf(&dedalus.Program{Settings: settings("processes=a,b,c eot=9 isolations=1 phase=Prepare,Ack,Propose,Promise")}, nil)
	require.NoError(t, err)
	require.Equal(t, 4, b.Normal().Period)
	require.Equal(t, "phase 1, Prepare", b.PhaseOf(1))
	require.Equal(t, "phase 2, Ack", b.PhaseOf(6))
	require.Equal(t, "phase 3, Prepare", b.PhaseOf(9))
	require.Equal(t, "3 processes, 9 rounds, at most 1 isolation in phases of 4 rounds (Prepare, Ack, Propose, Promise)", b.String())
	require.Equal(t, "28", schedules.Count(b).String())

	data, err := b.MarshalJSON()
	require.NoError(t, err)
	var again rounds.Bounds
	require.NoError(t, again.UnmarshalJSON(data))
	require.Equal(t, b.Normal(), again)

	b.Period = 2
	require.Equal(t, 2, b.Normal().Period)
	require.Empty(t, rounds.Bounds{Period: 4}.PhaseOf(6))
	for _, phase := range []string{"a,a", "a,", "a b"} {
		_, err := rounds.BoundsFrom(map[string]string{"processes": "a", "eot": "3", "phase": phase})
		require.ErrorContains(t, err, "--phase: ")
	}
}

// Faults at the starts of phases are counted by phases, and those of single messages
// refused.
func TestStartsOfPhases(t *testing.T) {
	b := rounds.Bounds{Processes: three, EOT: 8, Period: 4, Isolations: 1, Crashes: 1, At: "phase"}
	require.NoError(t, b.Validate())
	require.Equal(t, "49", schedules.Count(b).String())
	require.Equal(t, "3 processes, 8 rounds, at most 1 isolation in phases of 4 rounds, at most 1 crash, all at the starts of phases", b.String())
	crashes := b
	crashes.Isolations = 0
	require.Equal(t, "3 processes, 8 rounds, at most 1 crash, all at the starts of phases of 4 rounds", crashes.String())
	b.EFF = 5 // in the first phase only
	require.Equal(t, "28", schedules.Count(b).String())
	b.Omissions = 1
	require.EqualError(t, b.Validate(), "bounds: at=phase: there are no omissions, which strike single messages: use isolations, partitions or cuts")
	_, err := rounds.BoundsFrom(map[string]string{"processes": "a", "eot": "3", "at": "round"})
	require.ErrorContains(t, err, "--at: at=round: expected phase")
	program, _, err := rounds.BoundsOf(&dedalus.Program{Settings: settings("processes=a,b eot=4 eff=3 at=phase phase=Ask,Answer crashes=1")}, nil)
	require.NoError(t, err)
	require.Zero(t, program.Omissions)
	require.Equal(t, "5", schedules.Count(program).String())
}
