// Code generated from adapters/etcdraft by go test ./internal/house -update; DO NOT EDIT.

package etcd35

import (
	"strings"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"go.etcd.io/etcd/raft/v3"
	"go.etcd.io/etcd/raft/v3/raftpb"
)

// node is a raft.RawNode and its storage.
type node struct {
	*raft.RawNode
	config  raft.Config
	storage *raft.MemoryStorage
}

// newNode returns a node of a cluster whose members are all in its log already.
func newNode(config raft.Config, members []uint64) (*node, error) {
	n := &node{config: config, storage: raft.NewMemoryStorage()}
	n.config.Storage = n.storage
	return n, start(n.storage, members)
}

// Restart makes the node from its storage.
func (n *node) Restart() (stored etcd.Status, err error) {
	config := n.config // NewRawNode may change it
	if n.RawNode, err = raft.NewRawNode(&config); err != nil {
		return stored, err
	}
	hard, _, err := n.storage.InitialState()
	return etcd.Status{Term: number(hard.Term), Vote: number(hard.Vote)}, err
}

// Step takes a message.
func (n *node) Step(payload any) { _ = step(n.RawNode.Step, payload.(*message)) }

// SnapshotSent says that a snapshot is on its way.
func (n *node) SnapshotSent(to uint64) { n.ReportSnapshot(to, raft.SnapshotFinish) }

// Compact replaces the log by a snapshot.
func (n *node) Compact(index uint64, data []byte) error {
	if _, err := n.storage.CreateSnapshot(index, nil, data); err != nil {
		return err
	}
	return n.storage.Compact(index)
}

// Snapshot returns the data of the snapshot in the storage.
func (n *node) Snapshot() ([]byte, error) {
	snapshot, err := n.storage.Snapshot()
	return pointer[raftpb.Snapshot](&snapshot).Data, err
}

// Raw returns the node, and its storage as a part of it.
func (n *node) Raw() any { return n.RawNode }

// Ready stores and then says what is to be done.
func (n *node) Ready(do *etcd.Work) error {
	ready := n.RawNode.Ready()
	if err := n.store(ready, do); err != nil {
		return err
	}
	if ready.SoftState != nil {
		do.Role = strings.ToLower(strings.TrimPrefix(ready.SoftState.RaftState.String(), "State"))
	}
	for i := range ready.Messages {
		m := messageOf(pointer[raftpb.Message](&ready.Messages[i]))
		do.Messages = append(do.Messages, etcd.Message{To: number(m.To), Payload: m, Snapshot: value[raftpb.MessageType](m.Type) == raftpb.MsgSnap})
	}
	for i := range ready.CommittedEntries {
		do.Committed = append(do.Committed, entryOf(pointer[raftpb.Entry](&ready.CommittedEntries[i])))
	}
	for _, read := range ready.ReadStates {
		do.Reads = append(do.Reads, etcd.Read{Index: read.Index, Context: read.RequestCtx})
	}
	n.Advance(ready)
	return nil
}

// store brings to stable storage what the library wants to be there before
// messages are sent.
func (n *node) store(ready raft.Ready, do *etcd.Work) error {
	if !raft.IsEmptySnap(ready.Snapshot) {
		do.Snapshot = pointer[raftpb.Snapshot](&ready.Snapshot).Data
		if err := n.storage.ApplySnapshot(ready.Snapshot); err != nil {
			return err
		}
	}
	if hard := ready.HardState; !raft.IsEmptyHardState(hard) {
		do.Term, do.Vote = number(hard.Term), number(hard.Vote)
		if err := n.storage.SetHardState(hard); err != nil {
			return err
		}
	}
	return n.storage.Append(ready.Entries)
}
