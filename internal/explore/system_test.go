package explore_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/internal/explore"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// asMachined, in the environment, makes this test program the host of a system.
const asMachined = "LDFI_EXPLORE_TEST_HOST"

// serveMachined is the host of a system of which each process says on which machine it is.
func serveMachined() {
	s := election.Buggy()
	start := s.New
	s.New = func(name string, random *rand.Rand) system.Process { return machined{start(name, random)} }
	if err := wire.Serve(s); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// machined is a process on a machine, which can crash within a round.
type machined struct{ system.Process }

func (machined) CrashPoints() []string { return []string{"asked", "voted"} }
func (machined) Machine() system.Machine {
	return system.Machine{Clock: true, Disk: true, Terminates: true}
}
func (machined) Restart(*system.Step) {}
func (machined) CrashDisk(string)     {}

// elections begins to explore that system.
func elections(t *testing.T, bounds map[string]string) *explore.Exploration {
	t.Setenv(asMachined, "1")
	program, err := os.Executable()
	require.NoError(t, err)
	return exploring(t, &subject.System{Common: subject.Common{Bounds: bounds}, Command: text.ShellQuote(program)})
}

// Every fault of a system too is in a cell, but for orders of messages, and crashes at each
// point within a round with each outcome of its disk are.
func TestSpaceReachesEverythingOfSystems(t *testing.T) {
	e := elections(t, map[string]string{
		"period": "2", "crashes": "2", "restarts": "1", "isolations": "1", "omissions": "1", "pauses": "1", "cuts": "1", "delays": "1", "duplicates": "1", "max-delay": "2",
		"fast-clocks": "1", "slow-clocks": "1", "jumps": "1", "max-jump": "2", "failed-syncs": "1", "terminations": "1",
	})
	details := map[string]bool{}
	kinds := reaches(t, "election", e, details)
	for k := rounds.Crash; k < rounds.Choose; k++ {
		require.Equal(t, k != rounds.Order && k != rounds.Partition, kinds[k], k.String()) // the bounds have none of these
	}
	require.Len(t, details, 9) // three points, three disks
}
