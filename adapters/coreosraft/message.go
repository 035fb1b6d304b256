package coreosraft

import (
	"github.com/coreos/etcd/raft/raftpb"

	"github.com/lineage-driven/ldfi/adapters/etcd"
)

// message is a message of the library as others see it.
type message raftpb.Message

// Message returns the message in a payload, which must not be changed: others have
// it as well.
func Message(p etcd.Payload) *raftpb.Message { return (*raftpb.Message)(p.(*message)) }

// Payload returns a message as a payload. From then on it must not be changed.
func Payload(m *raftpb.Message) etcd.Payload { return (*message)(m) }

// Kind returns the type of the message: MsgApp, MsgVote, ...
func (m *message) Kind() string { return raftpb.MessageType_name[int32(m.Type)] }

// String returns all that the message says.
func (m *message) String() string {
	at := m.Snapshot.Metadata
	t := etcd.Text{
		From: m.From, To: m.To, Kind: m.Kind(), Term: m.Term, LogTerm: m.LogTerm, Index: m.Index,
		Commit: m.Commit, Reject: m.Reject, Hint: m.RejectHint, Context: contextOf((*raftpb.Message)(m)), Snapshot: etcd.Entry{Index: at.Index, Term: at.Term},
	}
	for i := range m.Entries {
		t.Entries = append(t.Entries, entryOf(&m.Entries[i]))
	}
	return t.String()
}

func entryOf(e *raftpb.Entry) etcd.Entry {
	return etcd.Entry{Index: e.Index, Term: e.Term, Data: e.Data, Change: readChange(e)}
}
