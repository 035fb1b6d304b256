package coreosraft_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/stretchr/testify/require"
)

// A process that the leader hands the lead to while it removes it stands for election
// before it has applied that, and panics when it is elected after it has: it is to
// lead, and has no progress of its own. There is no fault. v3.5 has it apply first.
func TestTransferToRemoved(t *testing.T) {
	cluster.Needs(t, etcd.Transfers)
	_, err := cluster.Asked(t, map[int]any{20: etcd.ConfChange{Remove: []string{"b"}}, 21: etcd.TransferLeader{To: "b"}})
	require.ErrorContains(t, err, "nil pointer dereference")
}
