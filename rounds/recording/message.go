package recording

import (
	"cmp"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
)

// Message is what one process sends another, in a Dedalus program by an @async
// rule.
type Message struct {
	From     string        `json:"from,omitempty"`    // empty when the rule has no location
	To       string        `json:"to"`                // who is to receive it
	Round    int           `json:"round"`             // in which it is sent, and arrives or is lost
	Arrival  int           `json:"arrival,omitempty"` // 0: in Round; otherwise in which it arrives after a pause of To, EOT+1 for after the end
	Again    bool          `json:"again,omitempty"`   // it is a duplicate of the message that the sender sent
	Relation string        `json:"relation"`          // its name
	Args     []specs.Value `json:"args"`              // To is the first
	Lost     bool          `json:"-"`
	Cause    rounds.Fault  `json:"-"` // what lost it, if it is lost
}

// String returns the message as log("b", "hello")@1 from a.
func (m Message) String() string {
	text := Fact{m.Relation, m.Args, m.Round}.String()
	if m.From != "" {
		text += " from " + m.From
	}
	return text
}

// compare orders messages by round, sender, receiver, relation and arguments.
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
	if c := cmp.Or(slices.CompareFunc(m.Args, o.Args, specs.Value.Compare), cmp.Compare(m.Arrival, o.Arrival)); c != 0 || m.Again == o.Again {
		return c
	}
	if o.Again {
		return -1
	}
	return 1
}
