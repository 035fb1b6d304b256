package etcdtest

import (
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// testRequests tests what clients can ask besides values and reads.
func (c Cluster) testRequests(t *testing.T) {
	t.Run("retries", func(t *testing.T) { c.testRetries(t, etcd.Propose("x"), "wrote") })
	t.Run("retries/read", func(t *testing.T) {
		c.Needs(t, etcd.Reads)
		c.testRetries(t, etcd.ReadIndex{}, "read")
	})
	t.Run("leader", c.testLeader)
	t.Run("transfer", c.testTransfer)
	t.Run("missing", c.testMissing)
}

// A request that nobody leads to answer is repeated until there is a reply, also by
// a process that has forgotten it, and has one reply.
func (c Cluster) testRetries(t *testing.T, payload any, relation string) {
	for _, schedule := range []string{"ticks 2; seed 1", "ticks 2; seed 1; crash a@2; restart a@3", "ticks 2; seed 1; crash a@30; restart a@31"} {
		s := c(Processes)
		repeated := etcd.Retried([]system.Request{{Round: 1, Process: "a", Payload: payload}}, 4, 10)
		compact := []system.Request{{Round: 2, Process: "b", Payload: etcd.Compact{}}}
		for first, requests := range map[int][]system.Request{1: repeated, 2: slices.Concat(compact, repeated, compact)} {
			s.Requests = requests
			e := run(t, s, schedule)
			require.Len(t, factsOf(e, "reply"), 1, schedule)
			replies := factsOf(e, relation)
			require.Len(t, replies, 1, schedule)
			require.EqualValues(t, first, replies[0].Args[1].Int(), "wherever it stands")
			require.Len(t, factsOf(e, "request"), len(requests))
		}
	}
}

// Only who leads takes a request that is made of whoever leads.
func (c Cluster) testLeader(t *testing.T) {
	s := c(Processes)
	s.Requests = etcd.EveryLeader(Processes, 1, 50, 7, func(int) any { return etcd.Propose("x") })
	e := run(t, s, "ticks 2; seed 1; isolate c@20..30")
	wrote := factsOf(e, "wrote")
	require.GreaterOrEqual(t, len(wrote), 3)
	leaders := factsOf(e, "leader")
	for _, f := range wrote {
		require.True(t, slices.ContainsFunc(leaders, func(l recording.Fact) bool { return l.Args[0] == f.Args[0] && l.Round <= f.Round }), "%s", f)
	}
}

// The leader hands on the lead to whom it is told.
func (c Cluster) testTransfer(t *testing.T) {
	c.Needs(t, etcd.Transfers)
	for _, to := range Processes {
		s := c(Processes)
		s.Requests = etcd.EveryLeader(Processes, 30, 30, 1, func(int) any { return etcd.TransferLeader{To: to} })
		last := factsOf(run(t, s, "ticks 2; seed 1"), "leader")
		require.Equal(t, to, last[len(last)-1].Args[0].Text())
	}
}

// What a version of the library does not have, it says.
func (c Cluster) testMissing(t *testing.T) {
	for feature, request := range map[etcd.Feature]any{
		etcd.Reads: etcd.ReadIndex{}, etcd.Transfers: etcd.TransferLeader{To: "b"},
		etcd.Learners: etcd.ConfChange{Learners: []string{"b"}}, etcd.JointConfigs: etcd.ConfChange{},
	} {
		s := c(Processes)
		s.Requests = []system.Request{{Round: 1, Process: "a", Payload: request}}
		_, err := s.Run(t.Context(), parse(t, "seed 1"), system.RunOptions{})
		if c.offers(feature) {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, "this version of the library has no "+string(feature))
		}
	}
}

// factsOf returns the facts of a relation.
func factsOf(e *recording.Execution, relation string) []recording.Fact {
	var all []recording.Fact
	for _, f := range e.Facts {
		if f.Relation == relation {
			all = append(all, f)
		}
	}
	return all
}
