// Code generated from adapters/etcdraft by go test ./internal/testing/house -update; DO NOT EDIT.

package etcd35

import (
	"slices"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"go.etcd.io/etcd/raft/v3/raftpb"
)

// message is a message of the library as others see it.
type message raftpb.Message

// Message returns the message in a payload, which must not be changed: others have
// it as well.
func Message(p etcd.Payload) *raftpb.Message { return (*raftpb.Message)(p.(*message)) }

// Payload returns a message as a payload. From then on it must not be changed.
func Payload(m *raftpb.Message) etcd.Payload { return (*message)(m) }

// messageOf returns what the library wants to be sent. Entries are copied,
// because the library keeps notes in its own.
func messageOf(m *raftpb.Message) *message {
	m.Entries = entries(m.Entries)
	return (*message)(m)
}

// step lets a node step a message, or its own copy of it if the library writes
// to it: to messages that it forwards, and to the places of entries.
func step[M any](library func(M) error, m *message) error {
	own := (*raftpb.Message)(m)
	if len(m.Entries) > 0 {
		own = copied(own)
	}
	if p, ok := any(own).(M); ok {
		return library(p)
	}
	return library(*any(own).(*M))
}

// copied returns a message that shares nothing with the one given that the
// library writes to. It leaves out what only messages to the own storage have, and
// only since v3.6.
func copied(m *raftpb.Message) *raftpb.Message {
	return &raftpb.Message{
		Type: m.Type, To: m.To, From: m.From, Term: m.Term, LogTerm: m.LogTerm, Index: m.Index, Entries: entries(m.Entries),
		Commit: m.Commit, Snapshot: m.Snapshot, Reject: m.Reject, RejectHint: m.RejectHint, Context: m.Context,
	}
}

// entries returns entries of their own.
func entries[E raftpb.Entry | *raftpb.Entry](given []E) []E {
	if len(given) == 0 {
		return nil
	}
	own := slices.Clone(given)
	if pointers, ok := any(own).([]*raftpb.Entry); ok {
		for i, e := range pointers {
			pointers[i] = &raftpb.Entry{Term: e.Term, Index: e.Index, Type: e.Type, Data: e.Data}
		}
	}
	return own
}

// Kind returns the type of the message: MsgApp, MsgVote, ...
func (m *message) Kind() string {
	return raftpb.MessageType_name[int32(value[raftpb.MessageType](m.Type))]
}

// String returns all that the message says.
func (m *message) String() string {
	t := etcd.Text{
		From: number(m.From), To: number(m.To), Kind: m.Kind(), Term: number(m.Term), LogTerm: number(m.LogTerm), Index: number(m.Index),
		Commit: number(m.Commit), Reject: value[bool](m.Reject), Hint: number(m.RejectHint), Context: m.Context,
	}
	if s := pointer[raftpb.Snapshot](&m.Snapshot); s != nil {
		if at := pointer[raftpb.SnapshotMetadata](&s.Metadata); at != nil {
			t.Snapshot = etcd.Entry{Index: number(at.Index), Term: number(at.Term)}
		}
	}
	for i := range m.Entries {
		t.Entries = append(t.Entries, entryOf(pointer[raftpb.Entry](&m.Entries[i])))
	}
	return t.String()
}

func entryOf(e *raftpb.Entry) etcd.Entry {
	return etcd.Entry{Index: number(e.Index), Term: number(e.Term), Data: e.Data, Change: readChange(e)}
}
