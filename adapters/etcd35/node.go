// Code generated from adapters/etcdraft by go test ./internal/testing/house -update; DO NOT EDIT.

package etcd35

import (
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"go.etcd.io/etcd/raft/v3"
	"go.etcd.io/etcd/raft/v3/raftpb"
)

// node is a raft.RawNode and its storage.
type node struct {
	*raft.RawNode
	settings raft.Config
	storage  *raft.MemoryStorage
	stable   *stable
	config   *raftpb.ConfState // that is in use
	ready    raft.Ready        // that is being done
}

// NewNode returns what makes nodes with this configuration. Their ID, logger and
// storage are set.
func NewNode(config raft.Config) etcd.NewNode {
	return func(id uint64, members []uint64, logger *etcd.Logger) (etcd.Node, error) {
		config := config
		config.ID, config.Logger = id, logger
		return newNode(config, members)
	}
}

func newNode(config raft.Config, members []uint64) (*node, error) {
	n := &node{settings: config, storage: raft.NewMemoryStorage(), stable: &stable{config: &raftpb.ConfState{}}}
	n.settings.Storage = newStorage(n.storage, n.stable, n.storage.InitialState)
	if !slices.Contains(members, config.ID) {
		return n, nil
	}
	return n, begin(n.storage, n.stable, members)
}

// Restart makes the node from its storage.
func (n *node) Restart() (stored etcd.Stored, err error) {
	settings := n.settings // NewRawNode may change it
	settings.Applied = n.stable.applied
	n.config = n.stable.config
	if n.RawNode, err = raft.NewRawNode(&settings); err != nil {
		return stored, err
	}
	hard, _, err := n.storage.InitialState()
	if h := pointer[raftpb.HardState](&hard); h != nil {
		stored.Term, stored.Vote = number(h.Term), number(h.Vote)
	}
	stored.Applied, stored.Config = n.stable.applied, configOf(n.config)
	return stored, err
}

// Offers says that there is everything.
func (n *node) Offers(etcd.Feature) bool { return true }

// Step takes a message.
func (n *node) Step(payload any) { _ = step(n.RawNode.Step, payload.(*message)) }

// SnapshotSent says that a snapshot is on its way.
func (n *node) SnapshotSent(to uint64) { n.ReportSnapshot(to, raft.SnapshotFinish) }

// ProposeConfChange proposes a change.
func (n *node) ProposeConfChange(change etcd.Change) error {
	return n.RawNode.ProposeConfChange(proposal(change))
}

// ApplyConfChange applies a change.
func (n *node) ApplyConfChange(change etcd.Change) (etcd.Config, error) {
	n.config = n.RawNode.ApplyConfChange(changeOf(change))
	return configOf(n.config), nil
}

// Compact replaces the log by a snapshot.
func (n *node) Compact(index uint64, data []byte) error {
	if _, err := n.storage.CreateSnapshot(index, n.config, data); err != nil {
		return err
	}
	return n.storage.Compact(index)
}

// Snapshot returns the snapshot in the storage.
func (n *node) Snapshot() (etcd.Snapshot, error) {
	s, err := n.storage.Snapshot()
	return snapshotOf(pointer[raftpb.Snapshot](&s)), err
}

func snapshotOf(s *raftpb.Snapshot) etcd.Snapshot {
	m := made[raftpb.SnapshotMetadata](&s.Metadata)
	return etcd.Snapshot{Index: number(m.Index), Data: s.Data, Config: configOf(made[raftpb.ConfState](&m.ConfState))}
}

// Last returns the last entry in the storage.
func (n *node) Last() (index, term uint64, err error) {
	if index, err = n.storage.LastIndex(); err == nil {
		term, err = n.storage.Term(index)
	}
	return index, term, err
}

// Raw returns the node, and its storage as a part of it.
func (n *node) Raw() any { return n.RawNode }

// Ready says what is to be stored and done.
func (n *node) Ready(do *etcd.Work) error {
	n.ready = n.RawNode.Ready()
	if n.ready.SoftState != nil {
		do.Role = strings.ToLower(strings.TrimPrefix(n.ready.SoftState.RaftState.String(), "State"))
	}
	if hard := n.ready.HardState; !raft.IsEmptyHardState(hard) {
		do.Term, do.Vote = number(hard.Term), number(hard.Vote)
	}
	if !raft.IsEmptySnap(n.ready.Snapshot) {
		do.Snapshot = snapshotOf(pointer[raftpb.Snapshot](&n.ready.Snapshot))
	}
	for i := range n.ready.Messages {
		m := messageOf(pointer[raftpb.Message](&n.ready.Messages[i]))
		do.Messages = append(do.Messages, etcd.Message{To: number(m.To), Payload: m, Snapshot: value[raftpb.MessageType](m.Type) == raftpb.MsgSnap})
	}
	for i := range n.ready.CommittedEntries {
		do.Committed = append(do.Committed, entryOf(pointer[raftpb.Entry](&n.ready.CommittedEntries[i])))
	}
	for _, read := range n.ready.ReadStates {
		do.Reads = append(do.Reads, etcd.Read{Index: read.Index, Context: read.RequestCtx})
	}
	return nil
}

// Store stores what the library wants to be stored before messages are sent. A
// snapshot is applied by being stored.
func (n *node) Store() error {
	if !raft.IsEmptySnap(n.ready.Snapshot) {
		if err := n.storage.ApplySnapshot(n.ready.Snapshot); err != nil {
			return err
		}
		m := pointer[raftpb.SnapshotMetadata](&pointer[raftpb.Snapshot](&n.ready.Snapshot).Metadata)
		n.config = kept(pointer[raftpb.ConfState](&m.ConfState))
		*n.stable = stable{number(m.Index), n.config}
	}
	if !raft.IsEmptyHardState(n.ready.HardState) {
		if err := n.storage.SetHardState(n.ready.HardState); err != nil {
			return err
		}
	}
	return n.storage.Append(n.ready.Entries)
}

// StoreApplied stores what was applied, and the configuration.
func (n *node) StoreApplied(index uint64) error {
	*n.stable = stable{index, n.config}
	return nil
}

// Advance lets the library go on.
func (n *node) Advance() {
	n.RawNode.Advance(n.ready)
	n.ready = raft.Ready{}
}
