package explain

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
)

// late returns the fault of the schedule because of which the message of a firing
// arrives later than it is sent.
func (x *Explainer) late(f *provenance.Firing) *rounds.Fault {
	for _, fault := range f.LateBy() {
		if slices.Contains(x.Schedule.Faults, fault) {
			return &fault
		}
	}
	return nil
}

// arrives says when the message arrives.
func (m *Message) arrives() string {
	if m.Arrival == 0 {
		return "arrives in " + roundsText(m.First, m.Last)
	}
	text := fmt.Sprintf("of round %d arrives in round %d", m.First, m.Arrival)
	if m.late != nil {
		text += fmt.Sprintf(" (%s)", m.late)
	}
	return text
}

// text says how a message that does not arrive in its round was lost or late, in a round or
// several.
func (l Loss) text() string {
	if l.Fault.Kind == rounds.Delay {
		return fmt.Sprintf("late, only in round %d (%s)", l.Fault.Round+l.Fault.By, l.Fault)
	}
	return fmt.Sprintf("lost in %s (%s)", roundsText(l.First, l.Last), l.Fault)
}
