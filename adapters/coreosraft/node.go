package coreosraft

import (
	"errors"
	"math/rand/v2"
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
	jitter  *etcd.Jitter
	storage *raft.MemoryStorage
	status  etcd.Status
	persist func(*raft.MemoryStorage, raft.Ready) error
	queue   *[]raftpb.Message // the library's, of messages to be sent
	room    []raftpb.Message  // for them, empty
}

// newNode returns a node of a cluster whose members, 1 to n, are all in its log
// already.
func newNode(config raft.Config, n int, random *rand.Rand) *node {
	r := &node{config: config, storage: raft.NewMemoryStorage(), persist: persist}
	var members []uint64
	for id := range n {
		members = append(members, uint64(id+1))
	}
	first := raftpb.Snapshot{Metadata: raftpb.SnapshotMetadata{Index: 1, Term: 1, ConfState: raftpb.ConfState{Nodes: members}}}
	must(r.storage.ApplySnapshot(first))
	must(r.storage.SetHardState(raftpb.HardState{Term: 1, Commit: 1}))
	r.jitter = etcd.NewJitter(random, config.ElectionTick)
	r.config.Storage, r.config.Logger = r.storage, r.jitter
	r.Restart()
	return r
}

// must panics with an error, which the system reports with process and round.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// Restart makes the node from its storage.
func (r *node) Restart() {
	r.jitter.Detach()
	config := r.config // NewRawNode may change it
	var err error
	r.RawNode, err = raft.NewRawNode(&config, nil)
	must(err)
	r.jitter.Attach(r.RawNode)
	field := reflect.ValueOf(r.RawNode).Elem().FieldByName("raft").Elem().FieldByName("msgs")
	r.queue = (*[]raftpb.Message)(unsafe.Pointer(field.UnsafeAddr()))
	hard, _, err := r.storage.InitialState()
	must(err)
	r.status = etcd.Status{Term: hard.Term, Vote: hard.Vote, Role: "follower"}
}

// Propose proposes to append data. A node without a leader drops it.
func (r *node) Propose(data []byte) { _ = r.RawNode.Propose(data) }

// Step takes a message. What the library does not want of it is lost.
func (r *node) Step(payload any) {
	m := raftpb.Message(*payload.(*message))
	m.Entries = slices.Clone(m.Entries) // the library writes to it
	_ = r.RawNode.Step(m)
}

// Compact replaces the log by a snapshot, unless there is one already.
func (r *node) Compact(index uint64, data []byte) {
	_, err := r.storage.CreateSnapshot(index, nil, data)
	if errors.Is(err, raft.ErrSnapOutOfDate) {
		return
	}
	must(err)
	must(r.storage.Compact(index))
}

// Snapshot returns the data of the snapshot in the storage.
func (r *node) Snapshot() []byte {
	snapshot, err := r.storage.Snapshot()
	must(err)
	return snapshot.Data
}

// Status returns what the node was at its last Ready.
func (r *node) Status() etcd.Status { return r.status }

// Raw returns the node, and its storage as a part of it.
func (r *node) Raw() any { return r.RawNode }

// Ready persists and then says what is to be done.
func (r *node) Ready(do *etcd.Work) bool {
	if !r.HasReady() {
		return false
	}
	ready := r.RawNode.Ready()
	must(r.persist(r.storage, ready))
	if !raft.IsEmptyHardState(ready.HardState) {
		r.status.Term, r.status.Vote = ready.HardState.Term, ready.HardState.Vote
	}
	if ready.SoftState != nil {
		r.status.Role = strings.ToLower(strings.TrimPrefix(ready.SoftState.RaftState.String(), "State"))
	}
	r.makeRoom(len(ready.Messages))
	for i := range ready.Messages {
		m := (*message)(&ready.Messages[i])
		m.Entries = slices.Clone(m.Entries)
		do.Messages = append(do.Messages, etcd.Message{To: m.To, Payload: m})
	}
	if !raft.IsEmptySnap(ready.Snapshot) {
		do.Snapshot = ready.Snapshot.Data
	}
	for _, e := range ready.CommittedEntries {
		if e.Type == raftpb.EntryNormal {
			do.Committed = append(do.Committed, etcd.Entry{Index: e.Index, Term: e.Term, Data: e.Data})
		}
	}
	for _, read := range ready.ReadStates {
		do.Reads = append(do.Reads, etcd.Read{Index: read.Index, Context: read.RequestCtx})
	}
	r.Advance(ready)
	r.delivered(do.Messages)
	return true
}

// makeRoom lets the library put the next messages behind those that it has put
// into the room. On its own it would begin with room for one, and copy them all
// each time that it needs more, which takes as long as everything else.
func (r *node) makeRoom(used int) {
	const most = 32
	if used+most/4 > cap(r.room) {
		r.room, used = make([]raftpb.Message, 0, most), 0
	}
	r.room = r.room[used:used]
	*r.queue = r.room
}

// delivered tells the leader of each snapshot that it is on its way, as a
// transport does that cannot know more. Then it tries to go on behind it.
func (r *node) delivered(messages []etcd.Message) {
	for _, m := range messages {
		if m.Payload.(*message).Type == raftpb.MsgSnap {
			r.ReportSnapshot(m.To, raft.SnapshotFinish)
		}
	}
}

// persist brings to stable storage what the library wants to be there before
// messages are sent.
func persist(storage *raft.MemoryStorage, ready raft.Ready) error {
	if !raft.IsEmptySnap(ready.Snapshot) {
		if err := storage.ApplySnapshot(ready.Snapshot); err != nil {
			return err
		}
	}
	if !raft.IsEmptyHardState(ready.HardState) {
		if err := storage.SetHardState(ready.HardState); err != nil {
			return err
		}
	}
	return storage.Append(ready.Entries)
}
