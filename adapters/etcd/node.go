package etcd

import (
	"fmt"
)

// Node is a RawNode of some version of the library, with its storage. An error
// of a method ends the execution, as one that the system made.
type Node interface {
	// As RawNode has them.

	Tick()
	Propose(data []byte) error
	ReadIndex(context []byte)
	HasReady() bool

	// Step takes a message. What the library does not want of it is lost.
	Step(payload any)
	// Ready brings to stable storage what has to be there, says what then has
	// to be done, and goes on.
	Ready(do *Work) error
	// SnapshotSent says that a snapshot is on its way to a node.
	SnapshotSent(to uint64)
	// Compact replaces the log up to an index, which was applied, by a snapshot
	// with this data.
	Compact(index uint64, data []byte) error
	// Snapshot returns the data of the snapshot that the log begins with.
	Snapshot() ([]byte, error)
	// Restart makes the RawNode from the storage, for the first time as well,
	// and returns the term and the vote that are stored.
	Restart() (Status, error)
	// Raw returns the RawNode, a pointer.
	Raw() any
}

// NewNode makes a node, one of the members of a cluster, which are all in its
// log already. Members have numbers from 1, in the order of the system's
// processes. The node's first Restart is still to come.
type NewNode func(id uint64, members []uint64, logger *Logger) (Node, error)

// Message is what a node sends another. The payload is what Step of the other
// takes, says its kind and its text, and is never changed: whatever the library
// writes to when it steps a message has to be a copy.
type Message struct {
	To       uint64
	Payload  Payload
	Snapshot bool // the message has one
}

// Payload is a message of the library.
type Payload interface {
	Kind() string // of message
	fmt.Stringer
}

// Status is what a node thinks of itself.
type Status struct {
	Term uint64
	Vote uint64 // the candidate that it has voted for in the term, 0: none
	Role string // follower, candidate, precandidate, leader
}

// Work is what a node wants to be done.
type Work struct {
	Status    // stays as it is unless it changes
	Messages  []Message
	Snapshot  []byte // to be applied first, if there is one
	Committed []Entry
	Reads     []Read
}

// Entry is an entry of the log.
type Entry struct {
	Index, Term uint64
	Data        []byte
}

// Read is the answer to ReadIndex.
type Read struct {
	Index   uint64
	Context []byte
}
