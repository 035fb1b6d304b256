package coreosraft

import (
	"github.com/coreos/etcd/raft"
	"github.com/coreos/etcd/raft/raftpb"
	"github.com/lineage-driven/ldfi/adapters/etcd"
)

// storage is a MemoryStorage, and what the application has in stable storage: how
// much it has applied, and the configuration that follows from it, which is not
// that of the snapshot.
type storage struct {
	*raft.MemoryStorage
	applied uint64
	config  raftpb.ConfState
}

// InitialState returns what is stored.
func (s *storage) InitialState() (raftpb.HardState, raftpb.ConfState, error) {
	hard, _, err := s.MemoryStorage.InitialState()
	return hard, s.config, err
}

// begin stores what a node has after its members were added, by one change each.
func (s *storage) begin(members []uint64) error {
	var log []raftpb.Entry
	for i, m := range members {
		change := changeOf(etcd.Change{Nodes: []etcd.NodeChange{{Op: etcd.AddVoter, Node: m}}})
		data, err := change.Marshal()
		if err != nil {
			return err
		}
		log = append(log, raftpb.Entry{Term: 1, Index: uint64(i + 1), Type: raftpb.EntryConfChange, Data: data})
	}
	if err := s.Append(log); err != nil {
		return err
	}
	s.applied, s.config.Nodes = uint64(len(members)), members
	return s.SetHardState(raftpb.HardState{Term: 1, Commit: s.applied})
}
