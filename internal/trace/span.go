package trace

// SpanKind is the role of a span in a call.
type SpanKind int

// The kinds of spans.
const (
	Internal SpanKind = iota // something within a service
	Client                   // a call, seen by who calls
	Server                   // a call, seen by who is called
	Producer                 // something is put into a queue
	Consumer                 // and taken out of it
)

// Span is one thing that a service did.
type Span struct {
	Trace, ID, Parent string
	Links             []string // spans that led to it, in place of a parent
	Service           string
	Name              string
	Kind              SpanKind
	Start, End        uint64 // in nanoseconds, by the clock of its machine
	Failed            bool
	Error             string // what it says of the failure, if anything
	Peer              string // of a client or producer: whom it calls, as far as it says
}
