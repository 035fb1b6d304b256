package coreosraft

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/coreos/etcd/raft"
	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// A harness that does not store votes has bugs of its own. The self-test finds
// them.
func TestForgottenVote(t *testing.T) {
	abc := []string{"a", "b", "c"}
	s := etcd.System("forgetful", abc, func(name string, random *rand.Rand) etcd.Node {
		config := raft.Config{ID: uint64(slices.Index(abc, name) + 1), ElectionTick: 10, HeartbeatTick: 1, MaxInflightMsgs: 256}
		n := newNode(config, len(abc), random)
		n.persist = func(storage *raft.MemoryStorage, ready raft.Ready) error { return storage.Append(ready.Entries) }
		return n
	})
	var forgotten *system.DurabilityError
	require.ErrorAs(t, s.CheckDurability(context.Background(), 100, 1), &forgotten)
	require.Equal(t, "vote", forgotten.Before.Relation)
}
