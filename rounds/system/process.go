package system

// Process is one participant of a system. All calls come from one goroutine,
// and the same calls have to give the same results: no clock, no goroutines, no
// random numbers but those of the Step.
type Process interface {
	// Send says what the process sends in this round. The requests that clients
	// make of it in this round are in s.Requests.
	Send(s *Step)
	// Receive takes what arrived: ordered by sender, in the order of
	// System.Processes or that of the schedule (order b@5 c,a), then as it was sent;
	// what comes late or once more is behind that. It is called in every round, also
	// when nothing arrived. The inbox is valid during the call.
	Receive(s *Step, inbox []Message)
}

// Ticker is a process with timers. Tick is called as often as the schedule says
// at the start of each round, before Send, and may send too.
type Ticker interface {
	Tick(s *Step)
}

// Restarter is a process that can come back after a crash. Restart forgets
// everything but what the process keeps in stable storage. It is called in the
// round of the restart, before the ticks of that round.
type Restarter interface {
	Restart(s *Step)
}

// Snapshotter is a process whose local state can be kept and put back. A
// snapshot never changes once it is taken, whatever the process does later. A search
// goes from one state to others that do not follow from it, on either side of a
// crash: what is not in snapshots, such as a goroutine, has to bear that.
type Snapshotter interface {
	Snapshot() any
	Restore(snapshot any)
}

// Fingerprinter is a process that can name its local state. Two states of a
// process have equal fingerprints exactly when it behaves the same from then
// on, given the same calls. Random numbers that were drawn from the Step need
// not be part of it. [System.CheckState] takes an empty one for none, and does not
// compare such states; searches take them for the same state.
type Fingerprinter interface {
	Fingerprint() string
}

// Message is what one process sends another. A payload must not be changed once
// it is sent: every receiver gets the same one. Recordings have it as text: a
// string or []byte as it is, a fmt.Stringer by its String, everything else as
// JSON. The kind of the message is what its method Kind() string says, else the
// name of its Go type in lower case.
type Message struct {
	From, To string
	Payload  any
}

// Request is what a client asks of a process in a round. It is lost if the
// process has crashed, and waits if it is paused. Those of rounds that an
// execution does not have are not made.
type Request struct {
	ID      int // which Reply names; 0: its place in System.Requests, from 1
	Round   int
	Process string
	Payload any
}
