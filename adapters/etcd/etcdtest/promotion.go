package etcdtest

import (
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

// Promoted searches a cluster of a and b with the learner c, which is made a voter, for
// faults after which nobody leads: c may not know yet that it votes when a member
// crashes that c was to hear it from.
func (c Cluster) Promoted(t *testing.T) *result.Answer {
	s := c(Processes, etcd.Members("a", "b"))
	s.Rounds = 90
	s.Requests = append(etcd.EveryLeader(s.Processes, 20, 20, 1, func(int) any { return etcd.ConfChange{Learners: []string{"c"}} }),
		etcd.EveryLeader(s.Processes, 40, 40, 1, func(int) any { return etcd.ConfChange{Voters: []string{"c"}} })...)
	s.Properties = []property.Property{etcd.LeaderAfter(40)}
	target, err := search.NewTarget(s, nil)
	require.NoError(t, err)
	r, err := strategies.Run(t.Context(), target, search.Options{Strategy: "enumerate", Executions: 10_000, Bounds: rounds.Bounds{Isolations: 1, Period: 3, Crashes: 1, NeverCrash: []string{"a", "c"}, From: 42, EFF: 46},
		Settings: rounds.Settings{Seed: rounds.Set(1), Ticks: rounds.Set(2)}})
	require.NoError(t, err)
	t.Log(r.Summary())
	return r
}
