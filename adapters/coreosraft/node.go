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
	settings raft.Config
	storage  *storage
	config   raftpb.ConfState  // that is in use
	ready    raft.Ready        // that is being done
	queue    *[]raftpb.Message // the library's, of messages to be sent
	room     []raftpb.Message  // for them, empty
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
	n := &node{settings: config, storage: &storage{MemoryStorage: raft.NewMemoryStorage()}}
	n.settings.Storage = n.storage
	if !slices.Contains(members, config.ID) {
		return n, nil
	}
	return n, n.storage.begin(members)
}

// Restart makes the node from its storage.
func (n *node) Restart() (stored etcd.Stored, err error) {
	settings := n.settings // NewRawNode may change it
	settings.Applied, n.config = n.storage.applied, n.storage.config
	if n.RawNode, err = raft.NewRawNode(&settings, nil); err != nil {
		return stored, err
	}
	field := reflect.ValueOf(n.RawNode).Elem().FieldByName("raft").Elem().FieldByName("msgs")
	n.queue = (*[]raftpb.Message)(unsafe.Pointer(field.UnsafeAddr()))
	hard, _, err := n.storage.InitialState()
	return etcd.Stored{Term: hard.Term, Vote: hard.Vote, Applied: n.storage.applied, Config: configOf(n.config)}, err
}

// Offers tells what this version has. The ConfStates of 3.3 have learners among
// the voters.
func (n *node) Offers(f etcd.Feature) bool {
	switch f {
	case etcd.JointConfigs, etcd.LearnersKept:
		return false
	case etcd.Learners:
		return hasLearners
	case etcd.Reads:
		_, ok := any(n.RawNode).(reader)
		return ok
	case etcd.Transfers:
		_, ok := any(n.RawNode).(transferrer)
		return ok
	}
	return false
}

// ProposeConfChange proposes a change.
func (n *node) ProposeConfChange(change etcd.Change) error {
	return n.RawNode.ProposeConfChange(changeOf(change))
}

// ApplyConfChange applies a change.
func (n *node) ApplyConfChange(change etcd.Change) (etcd.Config, error) {
	n.config = *n.RawNode.ApplyConfChange(changeOf(change))
	return withLearners(configOf(n.config), n.learners()), nil
}

// learners returns which nodes the library takes for learners, a map by node. There
// are none before 3.3.
func (n *node) learners() reflect.Value {
	return reflect.ValueOf(n.RawNode).Elem().FieldByName("raft").Elem().FieldByName("learnerPrs")
}

// ReadIndex asks for the index from which on a read may be answered.
func (n *node) ReadIndex(context []byte) { any(n.RawNode).(reader).ReadIndex(context) }

// TransferLeader asks for another leader.
func (n *node) TransferLeader(to uint64) { any(n.RawNode).(transferrer).TransferLeader(to) }

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
	if _, err := n.storage.CreateSnapshot(index, &n.config, data); err != nil {
		return err
	}
	return n.storage.Compact(index)
}

// Snapshot returns the snapshot in the storage.
func (n *node) Snapshot() (etcd.Snapshot, error) {
	s, err := n.storage.Snapshot()
	return snapshotOf(s), err
}

func snapshotOf(s raftpb.Snapshot) etcd.Snapshot {
	return etcd.Snapshot{Index: s.Metadata.Index, Data: s.Data, Config: configOf(s.Metadata.ConfState)}
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
		do.Term, do.Vote = hard.Term, hard.Vote
	}
	if !raft.IsEmptySnap(n.ready.Snapshot) {
		do.Snapshot = snapshotOf(n.ready.Snapshot)
	}
	n.makeRoom(len(n.ready.Messages))
	for i := range n.ready.Messages {
		m := (*message)(&n.ready.Messages[i])
		m.Entries = slices.Clone(m.Entries)
		do.Messages = append(do.Messages, etcd.Message{To: m.To, Payload: m, Snapshot: m.Type == raftpb.MsgSnap})
	}
	for i := range n.ready.CommittedEntries {
		do.Committed = append(do.Committed, entryOf(&n.ready.CommittedEntries[i]))
	}
	for _, read := range readStates(&n.ready) {
		do.Reads = append(do.Reads, etcd.Read{Index: read.Index, Context: read.RequestCtx})
	}
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

// Store stores what the library wants to be stored before messages are sent. A
// snapshot is applied by being stored.
func (n *node) Store() error {
	if !raft.IsEmptySnap(n.ready.Snapshot) {
		if err := n.storage.ApplySnapshot(n.ready.Snapshot); err != nil {
			return err
		}
		n.config = n.ready.Snapshot.Metadata.ConfState
		n.storage.applied, n.storage.config = n.ready.Snapshot.Metadata.Index, n.config
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
	n.storage.applied, n.storage.config = index, n.config
	return nil
}

// Advance lets the library go on.
func (n *node) Advance() {
	n.RawNode.Advance(n.ready)
	n.ready = raft.Ready{}
}
