package upon

// Protocol is what the processes of a protocol do, which all do the same. State is
// what a process keeps from one event to the next. If it has no pointers, slices,
// maps, interfaces, functions and channels in it, the processes are
// system.Fingerprinters and system.Snapshotters.
type Protocol[State any] struct {
	Init  func(process string) State // the state before everything; nil: the zero value
	Start Rule[State]                // what is done then, without waiting for anything
	Rules []Rule[State]              // of several that have enough messages the first counts
}

// Rule is something to be done upon enough messages of a kind in a round.
type Rule[State any] struct {
	Name string // for what is wrong with it

	// The messages that it waits for: of a kind, and of a round counted from the one
	// that the process is at. Those of another one than 0 come in no lock-step round.
	Kind  string
	Round int

	Count func(processes int) int              // from so many different processes; nil: from one
	Do    func(e *Event[State], got []Message) // upon that; got is what came, one message from each

	// Timeout is done if no rule for the kind has enough messages. Of several the first
	// counts.
	Timeout func(e *Event[State], got []Message)

	Sends []Tag // all that Do and Timeout may send
}

// Tag is a kind of message, and its round, counted from that of what was received.
type Tag struct {
	Kind  string
	Round int
}

// Message is what a process has sent.
type Message struct {
	From  string
	Value any
}

// Majority, All and AllBut are how many of the processes there are to be messages
// from: more than half, all, and all but so many.
func Majority(processes int) int { return processes/2 + 1 }
func All(processes int) int      { return processes }
func AllBut(f int) func(int) int { return func(processes int) int { return processes - f } }
