// Code generated from adapters/etcdraft by go test ./internal/testing/house -update; DO NOT EDIT.

package etcd35

import (
	"github.com/lineage-driven/ldfi/adapters/etcd"
	"go.etcd.io/etcd/raft/v3/raftpb"
)

// kinds are the numbers of the library for what becomes of a node.
var kinds = map[etcd.Op]raftpb.ConfChangeType{
	etcd.AddVoter: raftpb.ConfChangeAddNode, etcd.AddLearner: raftpb.ConfChangeAddLearnerNode,
	etcd.Remove: raftpb.ConfChangeRemoveNode, etcd.Update: raftpb.ConfChangeUpdateNode,
}

// proposal returns a change as clients propose it: a simple one in the form that
// all versions have.
func proposal(c etcd.Change) raftpb.ConfChangeI {
	if !c.Simple() {
		return changeOf(c)
	}
	v1 := &raftpb.ConfChange{Context: c.Context}
	set(&v1.Type, kinds[c.Nodes[0].Op])
	setNode(v1, c.Nodes[0].Node)
	return v1
}

// changeOf returns a change as it is applied.
func changeOf(c etcd.Change) *raftpb.ConfChangeV2 {
	v2 := &raftpb.ConfChangeV2{Context: c.Context}
	if c.Transition != etcd.Auto {
		set(&v2.Transition, raftpb.ConfChangeTransition(c.Transition))
	}
	for _, n := range c.Nodes {
		v2.Changes = appendChange(v2.Changes, n)
	}
	return v2
}

func appendChange[E any](changes []E, n etcd.NodeChange) []E {
	var next E
	single := made[raftpb.ConfChangeSingle](&next)
	set(&single.Type, kinds[n.Op])
	setNode(single, n.Node)
	return append(changes, next)
}

// readChange returns the change that is in an entry, nil if there is none.
func readChange(e *raftpb.Entry) *etcd.Change {
	switch value[raftpb.EntryType](e.Type) {
	case raftpb.EntryConfChange:
		return etcd.ReadSimpleChange(e.Data)
	case raftpb.EntryConfChangeV2:
		return etcd.ReadChange(e.Data)
	}
	return nil
}

// configOf returns a configuration.
func configOf(c *raftpb.ConfState) etcd.Config {
	return etcd.Config{
		Voters: c.Voters, Outgoing: c.VotersOutgoing, Learners: c.Learners, LearnersNext: c.LearnersNext,
		AutoLeave: value[bool](c.AutoLeave),
	}
}

// kept returns a configuration that does not change when what it was in does.
func kept(c *raftpb.ConfState) *raftpb.ConfState {
	return &raftpb.ConfState{
		Voters: c.Voters, VotersOutgoing: c.VotersOutgoing, Learners: c.Learners, LearnersNext: c.LearnersNext, AutoLeave: c.AutoLeave,
	}
}
