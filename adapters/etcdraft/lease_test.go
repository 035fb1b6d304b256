package etcdraft_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/adapters/etcd/etcdtest"
	"github.com/lineage-driven/ldfi/adapters/etcdraft"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
	"go.etcd.io/raft/v3"
)

// Reads that rest on a lease are stale when the leader stood still while others
// elected another. Those that ask the others are not.
func TestLeaseReads(t *testing.T) {
	for option, want := range map[raft.ReadOnlyOption]result.Verdict{raft.ReadOnlyLeaseBased: result.Violated, raft.ReadOnlySafe: result.Inconclusive} {
		s := etcdraft.System(etcdtest.Processes, func(c *raft.Config) { c.CheckQuorum, c.ReadOnlyOption = true, option })
		s.Requests = slices.Concat(
			etcd.EveryLeader(etcdtest.Processes, 10, 60, 3, func(round int) any { return etcd.Propose(fmt.Sprint(round)) }),
			etcd.Every(etcdtest.Processes, 10, 60, 1, func(string, int) any { return etcd.ReadIndex{} }))
		s.Properties = []property.Property{etcd.FreshReads}
		r, err := search.Run(t.Context(), s, search.Options{Bounds: rounds.Bounds{Pauses: 1, Period: 20}, Executions: 200, Seed: 1})
		require.NoError(t, err)
		t.Log(r.Summary())
		require.Equal(t, want, r.Verdict)
	}
}
