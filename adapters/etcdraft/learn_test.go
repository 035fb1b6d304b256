package etcdraft_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/adapters/etcd/etcdtest"
	"github.com/lineage-driven/ldfi/adapters/etcdraft"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

// A search that learns knows equal states and equal messages when it sees them:
// it certifies a scope after fewer executions than the scope has schedules.
func TestLearn(t *testing.T) {
	s := etcdraft.System(etcdtest.Processes, nil)
	s.Rounds = 20
	s.Requests = etcd.Every(etcdtest.Processes, 10, 20, 5, func(p string, round int) any { return etcd.Propose(p) })
	r, err := search.Run(t.Context(), s, search.Options{
		Strategy: "learn", Properties: []property.Property{property.UniquePerTerm("leader")},
		Bounds: rounds.Bounds{Isolations: 1, Period: 10}, Settings: rounds.Settings{Seed: rounds.Set(1), Ticks: rounds.Set(2)},
	})
	require.NoError(t, err)
	require.Equal(t, result.Holds, r.Verdict, "%v", r)
	require.Less(t, int64(r.Search.Executions), r.Search.Certificate.Schedules.Int64())
}
