package etcdraft

import (
	"errors"
	"math/rand/v2"
	"strings"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"
)

// node is a raft.RawNode and its storage.
type node struct {
	*raft.RawNode
	config  raft.Config
	jitter  *etcd.Jitter
	storage *raft.MemoryStorage
	status  etcd.Status
	persist func(*raft.MemoryStorage, raft.Ready) error
}

// newNode returns a node of a cluster whose members, 1 to n, are all in its log
// already.
func newNode(config raft.Config, n int, random *rand.Rand) *node {
	r := &node{config: config, storage: raft.NewMemoryStorage(), persist: persist}
	must(start(r.storage, n))
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
	r.RawNode, err = raft.NewRawNode(&config)
	must(err)
	r.jitter.Attach(r.RawNode)
	hard, _, err := r.storage.InitialState()
	must(err)
	r.status = etcd.Status{Term: number(hard.Term), Vote: number(hard.Vote), Role: "follower"}
}

// Propose proposes to append data. A node without a leader drops it.
func (r *node) Propose(data []byte) { _ = r.RawNode.Propose(data) }

// Step takes a message. What the library does not want of it is lost.
func (r *node) Step(payload any) { _ = step(r.RawNode.Step, payload.(*message)) }

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
	return pointer[raftpb.Snapshot](&snapshot).Data
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
		r.status.Term, r.status.Vote = number(ready.HardState.Term), number(ready.HardState.Vote)
	}
	if ready.SoftState != nil {
		r.status.Role = strings.ToLower(strings.TrimPrefix(ready.SoftState.RaftState.String(), "State"))
	}
	for i := range ready.Messages {
		m := messageOf(pointer[raftpb.Message](&ready.Messages[i]))
		do.Messages = append(do.Messages, etcd.Message{To: number(m.To), Payload: m})
	}
	if !raft.IsEmptySnap(ready.Snapshot) {
		do.Snapshot = pointer[raftpb.Snapshot](&ready.Snapshot).Data
	}
	for _, e := range ready.CommittedEntries {
		do.Committed = append(do.Committed, etcd.Entry{Index: number(e.Index), Term: number(e.Term), Data: e.Data})
	}
	for _, read := range ready.ReadStates {
		do.Reads = append(do.Reads, etcd.Read{Index: read.Index, Context: read.RequestCtx})
	}
	r.Advance(ready)
	r.delivered(do.Messages)
	return true
}

// delivered tells the leader of each snapshot that it is on its way, as a
// transport does that cannot know more. Then it tries to go on behind it.
func (r *node) delivered(messages []etcd.Message) {
	for _, m := range messages {
		if m.Payload.(*message).Snapshot != nil {
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
