package etcd

// Node is Raft at one process, with its stable storage. Processes have numbers
// from 1, in the order of the system.
type Node interface {
	Tick()
	Propose(data []byte)
	ReadIndex(context []byte)
	Step(m *Message)
	// Ready brings to stable storage what has to be there, and returns what
	// then has to be done, until there is nothing more.
	Ready(do *Work) (more bool)
	// Restart makes the node anew from its stable storage.
	Restart()
	Status() Status
	// Raw returns the library's node.
	Raw() any
}

// Message is a message of the library. It is never changed.
type Message struct {
	To   uint64
	Type string               // MsgApp, MsgVote, ...
	Raw  any                  // as the library has it
	Full bool                 // it has entries, which the library writes to when it steps it
	Text func(raw any) string // says it in short
}

// Kind returns the type of the message.
func (m *Message) Kind() string { return m.Type }

// String returns the message in short.
func (m *Message) String() string { return m.Text(m.Raw) }

// Status is what a node thinks of itself.
type Status struct {
	Term uint64
	Vote uint64 // the candidate that it has voted for in the term, 0: none
	Role string // follower, candidate, precandidate, leader
}

// Work is what a node wants to be done.
type Work struct {
	Messages  []*Message
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
