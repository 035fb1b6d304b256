package coreosraft

import (
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/coreos/etcd/raft"
	"github.com/coreos/etcd/raft/raftpb"
	"github.com/lineage-driven/ldfi/adapters/etcd"
)

// node is a raft.RawNode and its storage.
type node struct {
	*raft.RawNode
	config  raft.Config
	storage *raft.MemoryStorage
	queue   *[]raftpb.Message // the library's, of messages to be sent
	room    []raftpb.Message  // for them, empty
}

// newNode returns a node of a cluster whose members are all in its log already.
func newNode(config raft.Config, members []uint64) (*node, error) {
	n := &node{config: config, storage: raft.NewMemoryStorage()}
	n.config.Storage = n.storage
	first := raftpb.Snapshot{Metadata: raftpb.SnapshotMetadata{Index: 1, Term: 1, ConfState: raftpb.ConfState{Nodes: slices.Clone(members)}}}
	if err := n.storage.ApplySnapshot(first); err != nil {
		return nil, err
	}
	return n, n.storage.SetHardState(raftpb.HardState{Term: 1, Commit: 1})
}

// Restart makes the node from its storage.
func (n *node) Restart() (stored etcd.Status, err error) {
	config := n.config // NewRawNode may change it
	if n.RawNode, err = raft.NewRawNode(&config, nil); err != nil {
		return stored, err
	}
	field := reflect.ValueOf(n.RawNode).Elem().FieldByName("raft").Elem().FieldByName("msgs")
	n.queue = (*[]raftpb.Message)(unsafe.Pointer(field.UnsafeAddr()))
	hard, _, err := n.storage.InitialState()
	return etcd.Status{Term: hard.Term, Vote: hard.Vote}, err
}

// ReadIndex asks for the index from which on a read may be answered.
func (n *node) ReadIndex(context []byte) {
	r, ok := any(n.RawNode).(reader)
	if !ok {
		panic("this version of the library has no ReadIndex: it comes with v3.1.0")
	}
	r.ReadIndex(context)
}

// Step takes a message.
func (n *node) Step(payload any) {
	m := raftpb.Message(*payload.(*message))
	m.Entries = slices.Clone(m.Entries) // the library writes to it
	_ = n.RawNode.Step(m)
}

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
	return snapshot.Data, err
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
	n.makeRoom(len(ready.Messages))
	for i := range ready.Messages {
		m := (*message)(&ready.Messages[i])
		m.Entries = slices.Clone(m.Entries)
		do.Messages = append(do.Messages, etcd.Message{To: m.To, Payload: m, Snapshot: m.Type == raftpb.MsgSnap})
	}
	for _, e := range ready.CommittedEntries {
		if e.Type == raftpb.EntryNormal {
			do.Committed = append(do.Committed, etcd.Entry{Index: e.Index, Term: e.Term, Data: e.Data})
		}
	}
	for _, read := range readStates(&ready) {
		do.Reads = append(do.Reads, etcd.Read{Index: read.Index, Context: read.RequestCtx})
	}
	n.Advance(ready)
	return nil
}

// makeRoom lets the library put the next messages behind those that it has put
// into the room. On its own it would begin with room for one, and copy them all
// each time that it needs more, which takes as long as everything else.
func (n *node) makeRoom(used int) {
	const most = 32
	if used+most/4 > cap(n.room) {
		n.room, used = make([]raftpb.Message, 0, most), 0
	}
	n.room = n.room[used:used]
	*n.queue = n.room
}

// store brings to stable storage what the library wants to be there before
// messages are sent.
func (n *node) store(ready raft.Ready, do *etcd.Work) error {
	if !raft.IsEmptySnap(ready.Snapshot) {
		do.Snapshot = ready.Snapshot.Data
		if err := n.storage.ApplySnapshot(ready.Snapshot); err != nil {
			return err
		}
	}
	if hard := ready.HardState; !raft.IsEmptyHardState(hard) {
		do.Term, do.Vote = hard.Term, hard.Vote
		if err := n.storage.SetHardState(hard); err != nil {
			return err
		}
	}
	return n.storage.Append(ready.Entries)
}
