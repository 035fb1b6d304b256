package etcdraft_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/adapters/etcdraft"
	"github.com/lineage-driven/ldfi/ldfi/ldfitest"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
	"go.etcd.io/raft/v3"
)

// Three of five that draw their timeouts from a short range can be without a leader
// for more than 80 rounds. That is late, and no violation, when the schedule is
// executed again as one that is kept, and when it is met in a search.
func TestALateLeader(t *testing.T) {
	s := etcdraft.System([]string{"a", "b", "c", "d", "e"}, func(c *raft.Config) { c.ElectionTick = 4 })
	s.Rounds, s.Properties = 120, []property.Property{etcd.LeaderAfter(80)}
	schedule, err := rounds.ParseSchedule("seed 1951468667; crash c@33; crash a@34; isolate a@18..24")
	require.NoError(t, err)
	for n, without := range map[int]int{120: 1, 160: 0} {
		e, err := s.Run(t.Context(), schedule, system.RunOptions{Rounds: n})
		require.NoError(t, err)
		violations, err := s.Properties[0].Check(e)
		require.NoError(t, err)
		require.Len(t, violations, without)
	}
	ldfitest.Run(t, s, ldfitest.Executions(10), ldfitest.Settings(schedule.Settings),
		ldfitest.Bounds(rounds.Bounds{Crashes: 2, Isolations: 1, Period: 8, EFF: 41}))
}
