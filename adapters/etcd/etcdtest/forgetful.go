package etcdtest

import (
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// ElectionTick is that of the nodes of [TestForgottenVote].
const ElectionTick = 10

// forgetful is a node that has not stored its term and its vote when it restarts.
type forgetful struct {
	etcd.Node
	forget func() error
}

// Restart restarts the node from the rest of its storage.
func (f forgetful) Restart() (etcd.Stored, error) {
	if err := f.forget(); err != nil {
		return etcd.Stored{}, err
	}
	return f.Node.Restart()
}

// TestForgottenVote tests that a harness that does not store votes, and so has
// bugs of its own, fails the self-test. With each node comes a function that
// removes what it has stored of its term and its vote.
func TestForgottenVote(t *testing.T, newNode func(id uint64, members []uint64, logger *etcd.Logger) (n etcd.Node, forget func() error, err error)) {
	s := etcd.System("forgetful", Processes, ElectionTick, func(id uint64, members []uint64, logger *etcd.Logger) (etcd.Node, error) {
		n, forget, err := newNode(id, members, logger)
		return forgetful{n, forget}, err
	})
	var forgotten *system.DurabilityError
	require.ErrorAs(t, s.CheckDurability(t.Context(), 100, 1), &forgotten)
	require.Equal(t, "vote", forgotten.Before.Relation)
}
