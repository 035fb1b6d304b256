package etcdraft_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/stretchr/testify/require"
)

// A leader that is handing on the lead drops its own proposal to leave a joint
// configuration. If the transfer comes to nothing, because the other has not applied
// the change yet, it proposes that again when it applies the next entry, and without
// one never. There is no fault, and v3.6 and v3.7 both do that.
func TestTransferStaysJoint(t *testing.T) {
	e, err := cluster.Asked(t, map[int]any{20: etcd.ConfChange{Voters: []string{"d"}, Remove: []string{"c"}}, 21: etcd.TransferLeader{To: "b"}})
	require.NoError(t, err)
	violations, err := etcd.LeavesJoint(20).Check(e)
	require.NoError(t, err)
	require.Len(t, violations, 1)
}
