package rounds

import (
	"cmp"
	"slices"

	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Message is what an @async rule sends from one process to another.
type Message struct {
	From, To string // From is empty when the rule has no location
	Round    int    // in which it is sent, and arrives or is lost
	Relation string
	Args     []dedalus.Value // To is the first
	Lost     bool
	Cause    Fault // what lost it, if it is lost
}

// String returns the message as log("b", "hello")@1 from a.
func (m Message) String() string {
	text := Fact{m.Relation, m.Args, m.Round}.String()
	if m.From != "" {
		text += " from " + m.From
	}
	return text
}

// Compare orders messages by round, sender, receiver, relation and arguments.
func (m Message) Compare(o Message) int {
	return cmp.Or(
		cmp.Compare(m.Round, o.Round),
		cmp.Compare(m.From, o.From),
		cmp.Compare(m.To, o.To),
		cmp.Compare(m.Relation, o.Relation),
		slices.CompareFunc(m.Args, o.Args, dedalus.Value.Compare),
	)
}
