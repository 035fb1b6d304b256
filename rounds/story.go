package rounds

import (
	"fmt"
	"slices"
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
// begin, then messages. It leaves out what WriteDiagram leaves out.
func (e *Execution) Story() []Event {
	var story, before []Event
	messages := DiagramOptions{}.drawn(e)
	for round := 1; round <= e.Bounds.EOT; round++ {
		var events []Event
		for _, m := range messages {
			if m.Round == round {
				events = append(events, e.event(m))
			}
		}
		faults := e.begin(round)
		if len(faults) > 0 || !slices.EqualFunc(events, before, Event.alike) {
			story = slices.Concat(story, faults, events)
		}
		before = events
	}
	return story
}

// begin returns the faults that begin in a round.
func (e *Execution) begin(round int) []Event {
	var events []Event
	for _, f := range e.Schedule.events() {
		if f.Round == round {
			events = append(events, Event{Round: round, Text: f.String(), Fault: true})
		}
	}
	return events
}

// event returns what happens to a message.
func (e *Execution) event(m Message) Event {
	from := m.From
	if from == "" {
		from = "nobody"
	}
	text := fmt.Sprintf("%s from %s to %s", Display(Fact{m.Relation, m.Args, m.Round}, e.Bounds.Processes), from, m.To)
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
