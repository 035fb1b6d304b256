package etcd35_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/stretchr/testify/require"
)

// A leader that was made a learner leads on. If it is then removed by a joint change,
// it panics when it is to leave the joint configuration by itself: it has no progress
// of its own. There is no fault. Versions 3.4 do that too, and 3.6 drops what it
// proposes, so that it stays in the joint configuration, unless it is told to step
// down (StepDownOnRemoval).
func TestDemotedLeader(t *testing.T) {
	_, err := cluster.Asked(t, map[int]any{20: etcd.ConfChange{Learners: []string{"c"}}, 26: etcd.ConfChange{Voters: []string{"d"}, Remove: []string{"c"}}})
	require.ErrorContains(t, err, "nil pointer dereference")
}
