package coreosraft

import (
	"reflect"

	"github.com/coreos/etcd/raft/raftpb"
	"github.com/lineage-driven/ldfi/adapters/etcd"
)

// addLearner is the kind of change that versions before 3.3 do not have.
var addLearner, hasLearners = raftpb.ConfChangeType_value["ConfChangeAddLearnerNode"]

// changeOf returns a simple change as the library has it.
func changeOf(c etcd.Change) raftpb.ConfChange {
	change := raftpb.ConfChange{Type: raftpb.ConfChangeUpdateNode, NodeID: c.Nodes[0].Node, Context: c.Context}
	switch c.Nodes[0].Op {
	case etcd.AddVoter:
		change.Type = raftpb.ConfChangeAddNode
	case etcd.AddLearner:
		change.Type = raftpb.ConfChangeType(addLearner)
	case etcd.Remove:
		change.Type = raftpb.ConfChangeRemoveNode
	}
	return change
}

// readChange returns the change that is in an entry, nil if there is none.
func readChange(e *raftpb.Entry) *etcd.Change {
	if e.Type != raftpb.EntryConfChange {
		return nil
	}
	return etcd.ReadSimpleChange(e.Data)
}

// configOf returns a configuration.
func configOf(c raftpb.ConfState) etcd.Config {
	config := etcd.Config{Voters: c.Nodes}
	if f := reflect.ValueOf(c).FieldByName("Learners"); f.IsValid() {
		config.Learners = f.Interface().([]uint64)
	}
	return config
}

// withLearners returns a configuration in use, of which the ConfState of 3.3 has the
// learners among the voters. What is stored is that ConfState.
func withLearners(c etcd.Config, learners reflect.Value) etcd.Config {
	if !learners.IsValid() {
		return c
	}
	var voters []uint64
	for _, n := range c.Voters {
		if learners.MapIndex(reflect.ValueOf(n)).IsValid() {
			c.Learners = append(c.Learners, n)
		} else {
			voters = append(voters, n)
		}
	}
	c.Voters = voters
	return c
}
