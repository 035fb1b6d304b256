package diagram

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Event is one thing that happens in an execution: a fault that begins, or a
// message that arrives or is lost.
type Event struct {
	Round    int
	Text     string // log(b, "hello") from a to b; or the same with: is lost (omit a>b@1)
	Fault    bool   // a fault, or a message that is lost
	Relation string // of the message; empty for a fault
}

// Story returns what happens in an execution, round by round: faults as they
// begin, then messages. It leaves out what Write leaves out.
func Story(e *recording.Execution) []Event {
	var story, before []Event
	messages := Options{}.drawn(e)
	for round := 1; round <= e.Bounds.EOT; round++ {
		var events []Event
		for _, m := range messages {
			if m.Round == round {
				events = append(events, eventOf(e, m))
			}
		}
		faults := begin(e, round)
		if len(faults) > 0 || !slices.EqualFunc(events, before, Event.alike) {
			story = slices.Concat(story, faults, events)
		}
		before = events
	}
	return story
}

// begin returns the faults that begin in a round.
func begin(e *recording.Execution, round int) []Event {
	var begun []Event
	for _, f := range events(e.Schedule) {
		if f.Round == round {
			begun = append(begun, Event{Round: round, Text: f.String(), Fault: true})
		}
	}
	return begun
}

// eventOf returns what happens to a message.
func eventOf(e *recording.Execution, m recording.Message) Event {
	from := m.From
	if from == "" {
		from = "nobody"
	}
	text := fmt.Sprintf("%s from %s to %s", recording.Display(recording.Fact{Relation: m.Relation, Args: m.Args, Round: m.Round}, e.Bounds.Processes), from, m.To)
	switch {
	case m.Lost:
		text += fmt.Sprintf(" is lost (%s)", m.Cause)
	case m.Arrival > e.Bounds.EOT:
		text += " waits until the end"
	case m.Arrival > 0:
		text += fmt.Sprintf(" waits until round %d", m.Arrival)
	}
	return Event{m.Round, text, m.Lost, m.Relation}
}

// alike tells whether the same happens, perhaps in another round.
func (a Event) alike(b Event) bool {
	a.Round = b.Round
	return a == b
}
