package diagram

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Event is one thing that happens in an execution: a fault begins, a message arrives or
// is lost, a client makes a request or gets a reply.
type Event struct {
	Round    int
	Text     string // such as: log(b, "hello") from a to b; for a lost message followed by: is lost (omit a>b@1)
	Fault    bool   // a fault, or a message that is lost
	Relation string // the relation of the message; empty for a fault, a request and a reply
}

// Events returns the events of an execution, round by round: faults that begin, then
// requests of clients, messages and replies, then crashes within the round. It leaves
// out what Write leaves out, but has all requests and replies.
func Events(e *recording.Execution) []Event {
	var all, before []Event
	m := newModel(e, Options{})
	for _, r := range m.rounds {
		var events []Event
		for _, s := range r.messages {
			events = append(events, m.event(s))
		}
		for _, p := range r.starts {
			all = append(all, Event{Round: r.number, Text: m.processes[p] + " starts"})
		}
		for _, f := range r.faults {
			all = append(all, Event{Round: r.number, Text: m.faultText(f), Fault: true})
		}
		all = append(all, m.clientEvents(r, false)...)
		if len(r.faults)+len(r.crashes) > 0 || !slices.EqualFunc(events, before, Event.alike) {
			all = append(all, events...)
		}
		all = append(all, m.clientEvents(r, true)...)
		for _, f := range r.crashes {
			all = append(all, Event{Round: r.number, Text: m.faultText(f), Fault: true})
		}
		before = events
	}
	return all
}

// clientEvents returns the requests or the replies of a round.
func (m *model) clientEvents(r round, replies bool) []Event {
	var events []Event
	for _, o := range r.operations {
		if o.isReply() != replies {
			continue
		}
		text := recording.Display(o.fact, m.processes) + " of a client"
		if o.isReply() {
			text = recording.Display(o.fact, m.processes) + " to a client"
		}
		if o.unanswered {
			text += " gets no reply"
		}
		events = append(events, Event{Round: r.number, Text: text})
	}
	return events
}

// event returns what happens to a message.
func (m *model) event(s recording.Message) Event {
	from := s.From
	if from == "" {
		from = "nobody"
	}
	text := fmt.Sprintf("%s from %s to %s", recording.Display(recording.Fact{Relation: s.Relation, Args: s.Args, Round: s.Round}, m.processes), from, s.To)
	switch {
	case s.Lost:
		text += fmt.Sprintf(" is lost (%s)", s.Cause)
	case s.Arrival > 0:
		text += " " + m.comes(m.coming(s))
	}
	return Event{s.Round, text, s.Lost, s.Relation}
}

// alike tells whether the same happens, perhaps in another round.
func (a Event) alike(b Event) bool {
	a.Round = b.Round
	return a == b
}
