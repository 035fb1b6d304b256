package coreosraft_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// A learner is reported as one, though the library's ConfState has it among the
// voters.
func TestLearnerReported(t *testing.T) {
	cluster.Needs(t, etcd.Learners)
	e, err := cluster.Asked(t, map[int]any{20: etcd.ConfChange{Learners: []string{"d"}}})
	require.NoError(t, err)
	var learners, voters []string
	for _, f := range e.Facts {
		switch {
		case f.Relation == "learner" && f.Args[0].Text() == "c":
			learners = append(learners, f.Args[2].Text())
		case f.Relation == "voter" && f.Args[0].Text() == "c" && f.Round > 1:
			voters = append(voters, f.Args[2].Text())
		}
	}
	require.Equal(t, []string{"d"}, learners)
	require.Equal(t, []string{"a", "b", "c"}, voters)
}

// Before 3.4 a learner ignores elections. One that was made a voter, and does not know it
// yet, keeps the cluster without a leader when another crashes (etcd-io/etcd#10998).
func TestPromotedLearner(t *testing.T) {
	cluster.Needs(t, etcd.Learners)
	require.Equal(t, result.Violated, cluster.Promoted(t).Verdict)
}
