package etcdtest

import (
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// Asked executes 100 rounds of a cluster of a, b and c, to which d can be added, in
// which nothing fails, and a client asks this of the leader, by round. In round 20
// that is c.
func (c Cluster) Asked(t *testing.T, requests map[int]any) (*recording.Execution, error) {
	s := c(five[:4], etcd.Members(Processes...))
	s.Rounds = 100
	for round := 1; round <= s.Rounds; round++ {
		if payload, ok := requests[round]; ok {
			s.Requests = append(s.Requests, etcd.EveryLeader(s.Processes, round, round, 1, func(int) any { return payload })...)
		}
	}
	e, err := s.Run(t.Context(), parse(t, "ticks 2; seed 1"), system.RunOptions{})
	if err == nil {
		require.True(t, slices.ContainsFunc(factsOf(e, "leader"), func(f recording.Fact) bool { return f.Round == 20 && f.Args[0].Text() == "c" }))
	}
	return e, err
}
