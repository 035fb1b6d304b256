package recording

import (
	"cmp"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
)

// Message is a message from one process to another; in a Dedalus program an @async rule
// sends it.
type Message struct {
	From     string        `json:"from,omitempty"`    // the sender; empty when the rule that sends it has no location
	To       string        `json:"to"`                // the receiver
	Round    int           `json:"round"`             // the round in which it is sent, and arrives or is lost
	Arrival  int           `json:"arrival,omitempty"` // the round in which it arrives if that is not Round: after a pause of To, or late; EOT+1: after the end; 0: in Round
	Again    bool          `json:"again,omitempty"`   // it is a duplicate of a message of the sender
	Relation string        `json:"relation"`          // its name
	Args     []specs.Value `json:"args"`              // the arguments; To is the first
	Lost     bool          `json:"-"`
	Cause    rounds.Fault  `json:"-"` // the fault that lost it, if it is lost
}

// String returns the message in the form log("b", "hello")@1 from a.
func (m Message) String() string {
	text := Fact{m.Relation, m.Args, m.Round}.String()
	if m.From != "" {
		text += " from " + m.From
	}
	return text
}

// compare orders messages by round, sender, receiver, relation, arguments and what becomes of
// them.
func (m Message) compare(o Message) int { return compareMessages(&m, &o) }

func compareMessages(m, o *Message) int {
	switch {
	case m.Round != o.Round:
		return cmp.Compare(m.Round, o.Round)
	case m.From != o.From:
		return cmp.Compare(m.From, o.From)
	case m.To != o.To:
		return cmp.Compare(m.To, o.To)
	case m.Relation != o.Relation:
		return cmp.Compare(m.Relation, o.Relation)
	}
	if c := cmp.Or(slices.CompareFunc(m.Args, o.Args, specs.Value.Compare), cmp.Compare(m.Arrival, o.Arrival)); c != 0 {
		return c
	}
	switch {
	case m.Again != o.Again && o.Again, m.Again == o.Again && m.Lost != o.Lost && o.Lost:
		return -1
	case m.Again != o.Again || m.Lost != o.Lost:
		return 1
	}
	return m.Cause.Compare(o.Cause) // a fault can hit one of two equal messages
}
