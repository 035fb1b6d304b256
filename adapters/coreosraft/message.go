package coreosraft

import (
	"github.com/coreos/etcd/raft/raftpb"

	"github.com/lineage-driven/ldfi/adapters/etcd"
)

// message is a message of the library as others see it.
type message raftpb.Message

// Kind returns the type of the message: MsgApp, MsgVote, ...
func (m *message) Kind() string { return raftpb.MessageType_name[int32(m.Type)] }

// String returns all that the message says.
func (m *message) String() string {
	t := etcd.NewText(m.From, m.To, m.Kind()).
		Number("Term", m.Term).
		Place("Log", m.LogTerm, m.Index).
		Number("Commit", m.Commit).
		Flag("Reject", m.Reject).
		Number("Hint", m.RejectHint).
		Bytes("Context", m.Context).
		Place("Snapshot", m.Snapshot.Metadata.Term, m.Snapshot.Metadata.Index)
	for _, e := range m.Entries {
		t = t.Place("Entry", e.Term, e.Index).Bytes("Data", e.Data)
	}
	return string(t)
}
