package etcd

import (
	"fmt"
)

// Node is a RawNode of some version of the library, with its storage. An error
// of a method ends the execution, as one that the system made.
//
// A wrapper, a struct that embeds the Node of a NewNode, is a Node that does
// something else where it has a method of its own; see [Wrap].
type Node interface {
	// What clients ask.

	Propose(data []byte) error // an error: it is dropped
	ProposeConfChange(change Change) error
	ReadIndex(context []byte)
	TransferLeader(to uint64)
	// Offers tells whether this version of the library has something. What it
	// has not, it is not asked for.
	Offers(feature Feature) bool

	// What happens in a round: ticks, then Ready as often as HasReady says so,
	// each time followed by Store, what was to be done, StoreApplied and Advance,
	// and then messages.

	Tick()
	HasReady() bool
	// Ready says what is to be stored, and then to be done. Its messages must not
	// be sent before Store.
	Ready(do *Work) error
	// Store brings to stable storage what Ready wants to be there.
	Store() error
	// ApplyConfChange lets the library apply a committed change, and returns the
	// configuration that is now in use.
	ApplyConfChange(change Change) (Config, error)
	// StoreApplied brings to stable storage that everything up to an index is
	// applied, and the configuration that follows from it.
	StoreApplied(index uint64) error
	// Advance says that everything that Ready wanted was done.
	Advance()
	// Step takes a message. What the library does not want of it is lost.
	Step(payload any)
	// SnapshotSent says that a snapshot is on its way to a node.
	SnapshotSent(to uint64)

	// Compact replaces the log up to an index, which was applied, by a snapshot
	// with this data and the configuration.
	Compact(index uint64, data []byte) error
	// Snapshot returns the snapshot that the log begins with.
	Snapshot() (Snapshot, error)
	// Last returns index and term of the last entry that is stored.
	Last() (index, term uint64, err error)
	// Restart makes the RawNode from the storage, for the first time as well,
	// and returns what is stored.
	Restart() (Stored, error)
	// Raw returns the RawNode, a pointer.
	Raw() any
}

// NewNode makes a node of a cluster. The members that it begins with are in its
// log already; a node that is none of them begins with nothing. Processes have
// numbers from 1, in the order of the system's. The node's first Restart is still
// to come.
type NewNode func(id uint64, members []uint64, logger *Logger) (Node, error)

// Feature is something that not every version of the library has.
type Feature string

// The features.
const (
	Learners     Feature = "learners"
	LearnersKept Feature = "ConfStates that tell learners from voters" // without it a restart makes voters of them
	JointConfigs Feature = "joint configurations"
	Reads        Feature = "ReadIndex"
	Transfers    Feature = "leader transfer"
)

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

// Stored is what a node finds in its storage.
type Stored struct {
	Term, Vote uint64
	Applied    uint64 // up to this index everything was applied
	Config     Config // that follows from it
}

// Work is what a node wants to be done.
type Work struct {
	Status    // stays as it is unless it changes
	Messages  []Message
	Snapshot  Snapshot // to be applied first, if there is one
	Committed []Entry
	Reads     []Read
}

// done empties the work, and keeps its memory.
func (w *Work) done() {
	w.Messages, w.Committed, w.Reads = w.Messages[:0], w.Committed[:0], w.Reads[:0]
	if w.Snapshot.Index > 0 {
		w.Snapshot = Snapshot{}
	}
}

// Entry is an entry of the log.
type Entry struct {
	Index, Term uint64
	Data        []byte
	Change      *Change `json:",omitempty"` // of the configuration; nil: it is an entry of a client, or of a new leader
}

// Snapshot is what takes the place of the log up to an index. Index 0: there is
// none.
type Snapshot struct {
	Index  uint64
	Data   []byte
	Config Config
}

// Read is the answer to ReadIndex.
type Read struct {
	Index   uint64
	Context []byte
}
