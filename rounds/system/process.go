package system

// Process is one process of a system. All calls come from one goroutine, and the same
// calls must give the same results: a process must use no clock, no goroutines, and no
// random numbers but those of the Step.
type Process interface {
	// Send sends the messages of the process in this round, by s.Send and s.Broadcast.
	// s.Requests returns the requests that clients make of it in this round.
	Send(s *Step)
	// Receive takes the messages that arrived: ordered by sender, in the order of
	// System.Processes or that of the schedule (order b@5 c,a), then in the order in
	// which they were sent; delayed and duplicate messages come last. Receive is called
	// in every round, even if nothing arrived. The inbox is valid only during the call.
	Receive(s *Step, inbox []Message)
}

// Ticker is a process with timers. At the start of each round, before Send, Tick is
// called as often as the schedule says. It may send messages too.
type Ticker interface {
	Tick(s *Step)
}

// Restarter is a process that can restart after a crash. Restart must forget everything
// but what the process keeps in stable storage. It is called in the round of the
// restart, before the ticks of that round.
type Restarter interface {
	Restart(s *Step)
}

// Snapshotter is a process whose local state can be saved and restored. A snapshot must
// not change once it is taken, whatever the process does later. A search restores
// states in any order, from before and after a crash: everything outside of snapshots,
// such as a goroutine, has to tolerate that.
type Snapshotter interface {
	Snapshot() any
	Restore(snapshot any)
}

// Fingerprinter is a process that can name its local state. Two states of a process
// must have equal fingerprints exactly when it behaves the same from then on, given the
// same calls. Random numbers that were drawn from the Step need not be part of a
// fingerprint. System.CheckState does not compare states with an empty fingerprint;
// searches treat them as the same state.
type Fingerprinter interface {
	Fingerprint() string
}

// Message is a message from one process to another. Its payload must not be changed
// once it is sent, because all receivers get the same one. Recordings have the payload
// as text: a string or []byte as it is, a fmt.Stringer by its String, everything else
// as JSON. The kind of a message is the result of the method Kind() string of its
// payload, or else the name of the Go type of the payload in lower case.
type Message struct {
	From, To string
	Payload  any
}

// Request is a request of a client to a process in a round. It is lost if the process
// has crashed, and waits if the process is paused. Requests of rounds that an execution
// does not have are not made.
type Request struct {
	ID      int // the number that Reply records; 0: its place in System.Requests, from 1
	Round   int
	Process string
	Payload any
}
