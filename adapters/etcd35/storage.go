// Code generated from adapters/etcdraft by go test ./internal/testing/house -update; DO NOT EDIT.

package etcd35

import (
	"github.com/lineage-driven/ldfi/adapters/etcd"
	"go.etcd.io/etcd/raft/v3"
	"go.etcd.io/etcd/raft/v3/raftpb"
)

// stable is what the application has in stable storage: how much it has applied,
// and the configuration that follows from it.
type stable struct {
	applied uint64
	config  *raftpb.ConfState
}

// storage is a MemoryStorage that begins with the stable configuration, and not
// with that of the snapshot.
type storage[H, C any] struct {
	*raft.MemoryStorage
	*stable
	initial func() (H, C, error)
}

// newStorage returns one. H and C follow from the version of the library.
func newStorage[H, C any](memory *raft.MemoryStorage, s *stable, initial func() (H, C, error)) raft.Storage {
	return any(&storage[H, C]{memory, s, initial}).(raft.Storage)
}

// InitialState returns what is stored.
func (s *storage[H, C]) InitialState() (H, C, error) {
	hard, _, err := s.initial()
	return hard, like[C](s.config), err
}

// begin stores what a node has after its members were added, by one change each.
func begin(memory *raft.MemoryStorage, s *stable, members []uint64) error {
	var log raftpb.Message
	for i, m := range members {
		kind, data, err := raftpb.MarshalConfChange(proposal(etcd.Change{Nodes: []etcd.NodeChange{{Op: etcd.AddVoter, Node: m}}}))
		if err != nil {
			return err
		}
		log.Entries = append(log.Entries, entryFor(log.Entries, kind, uint64(i+1), data))
	}
	if err := memory.Append(log.Entries); err != nil {
		return err
	}
	s.applied, s.config.Voters = uint64(len(members)), members
	hard, _, err := memory.InitialState()
	if err != nil {
		return err
	}
	h := made[raftpb.HardState](&hard)
	set(&h.Term, uint64(1))
	set(&h.Commit, s.applied)
	return memory.SetHardState(hard)
}

// Forget takes out of the storage all but the log: what a node stores besides, and
// Forget as well, is for a harness to leave out that wants to see what comes of that.
func (n *node) Forget() error {
	*n.stable = stable{config: &raftpb.ConfState{}}
	hard, _, err := raft.NewMemoryStorage().InitialState()
	if err != nil {
		return err
	}
	return n.storage.SetHardState(hard)
}

// Appended returns the entries that are stored next.
func (n *node) Appended() (entries []etcd.Entry) {
	for i := range n.ready.Entries {
		entries = append(entries, entryOf(pointer[raftpb.Entry](&n.ready.Entries[i])))
	}
	return entries
}

// entryFor returns an entry of term 1, of the type that the log has.
func entryFor[E any](_ []E, kind raftpb.EntryType, index uint64, data []byte) (entry E) {
	e := made[raftpb.Entry](&entry)
	set(&e.Term, uint64(1))
	set(&e.Index, index)
	set(&e.Type, kind)
	e.Data = data
	return entry
}
