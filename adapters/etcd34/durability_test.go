// Code generated from adapters/etcdraft by go test ./internal/testing/house -update; DO NOT EDIT.

package etcd34

import (
	"math"
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/adapters/etcd/etcdtest"
	"go.etcd.io/etcd/raft"
	"go.etcd.io/etcd/raft/raftpb"
)

// A harness that does not store votes has bugs of its own. The self-test finds
// them.
func TestForgottenVote(t *testing.T) {
	etcdtest.TestForgottenVote(t, func(id uint64, members []uint64, logger *etcd.Logger) (etcd.Node, func() error, error) {
		n, err := newNode(raft.Config{
			ID: id, Logger: logger, ElectionTick: etcdtest.ElectionTick, HeartbeatTick: 1, MaxSizePerMsg: math.MaxUint64, MaxInflightMsgs: 256,
		}, members)
		if err != nil {
			return nil, nil, err
		}
		first, _, err := n.storage.InitialState()
		return n, func() error {
			set(&made[raftpb.HardState](&first).Commit, n.stable.applied)
			return n.storage.SetHardState(first)
		}, err
	})
}
