package roundstest

import (
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// reserved are schedules of what nothing executes yet, with processes a and b.
// Partitions are not among them: of the three processes of tests each is an isolation.
var reserved = []string{
	"crash a@1/persisted", "crash a@1/torn", "crash a@1/persisted/torn", "cut a>b@1..2",
	"delay a>b@1+1", "duplicate a>b@1+1", "order b@1 a", "fast a@1", "slow a@1..2", "jump a@1+30", "failsync a@1",
	`choose submit("n2")@1`, "goroutines 7",
}

// RefusesReserved checks that execute refuses what nothing executes yet by its
// name. The processes are a, b and c, so that a partition is an isolation, which is
// said where the processes are known.
func RefusesReserved(t *testing.T, execute func(rounds.Schedule) error) {
	t.Helper()
	for _, text := range reserved {
		s, err := rounds.ParseSchedule(text)
		require.NoError(t, err)
		require.ErrorContains(t, execute(s), text+": reserved: not yet executed")
	}
	err := execute(rounds.Schedule{Faults: []rounds.Fault{{Kind: rounds.Partition, Detail: "a,b|*", Round: 1, Until: 1}}})
	require.Error(t, err)
	require.Regexp(t, `partition a,b\|\*@1: (reserved: not yet executed|one process against the rest is an isolation; write isolate c@1)$`, err.Error())
}
