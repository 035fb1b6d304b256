package etcd

import (
	"fmt"

	"github.com/lineage-driven/ldfi/rounds/system"
)

// Node is Raft at one process, with its stable storage. Processes have numbers
// from 1, in the order of the system.
type Node interface {
	Tick()
	Propose(data []byte)
	ReadIndex(context []byte)
	Step(payload any)
	// Ready brings to stable storage what has to be there, and returns what
	// then has to be done, until there is nothing more.
	Ready(do *Work) (more bool)
	// Compact replaces the log up to an index, which was applied, by a snapshot
	// with this data. It does nothing if there is one already.
	Compact(index uint64, data []byte)
	// Snapshot returns the data of the snapshot that the log begins with.
	Snapshot() []byte
	// Restart makes the node anew from its stable storage.
	Restart()
	Status() Status
	// Raw returns the library's node.
	Raw() any
}

// Message is what a node sends another. The payload is what Step of the other
// takes, says its kind and its text, and is never changed: whatever the library
// writes to when it steps a message has to be a copy.
type Message struct {
	To      uint64
	Payload Payload
}

// Payload is a message of the library.
type Payload interface {
	system.Kinder
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
	Messages  []Message
	Snapshot  []byte // to be applied first, if there is one
	Committed []Entry
	Reads     []Read
}

// Entry is a committed entry of the log.
type Entry struct {
	Index, Term uint64
	Data        []byte
}

// Read is the answer to ReadIndex.
type Read struct {
	Index   uint64
	Context []byte
}
