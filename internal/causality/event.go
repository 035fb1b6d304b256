package causality

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// EventKind says what an event is.
type EventKind int

// The kinds of events.
const (
	faultBegins    EventKind = iota // a fault of a process begins
	factHolds                       // a fact holds that did not hold in the round before
	messageSent                     // a message is sent
	messageArrives                  // a message arrives
)

// Event is something that one process does, or that happens to it.
type Event struct {
	What    EventKind
	Process int // its index in the bounds
	Round   int
	Text    string             // in words: sends log("hello") to b
	Message *recording.Message // that is sent, or arrives
	From    int                // of a message that arrives: the event that sent it, by its number; -1 if no process did, and of other events
}

// Lost tells whether the event sends a message that does not arrive.
func (e Event) Lost() bool { return e.What == messageSent && e.Message.Lost }

// Events returns the events of an execution: round by round, and what causes an event
// before it. In a round faults begin, facts hold, messages are sent, and arrive. What a
// process sends itself is not among them, and of a Dedalus program not what is sent in
// the last round, because nobody sees it any more. A fact belongs to the process in its
// first argument; others are left out, and so are faults that belong to no single process.
func Events(e *recording.Execution) []Event {
	t := &eventCollector{
		execution: e, processes: e.Bounds.Processes, sends: map[string]int{},
		facts: make([][]recording.Fact, e.Bounds.EOT+1), sent: make([][]*recording.Message, e.Bounds.EOT+1), arriving: make([][]*recording.Message, e.Bounds.EOT+1),
	}
	t.sort()
	for round := 1; round <= e.Bounds.EOT; round++ {
		t.strike(round, false)
		t.hold(round)
		t.send(round)
		t.strike(round, true)
		t.receive(round)
	}
	return t.events
}

// eventCollector collects the events of an execution.
type eventCollector struct {
	execution *recording.Execution
	processes []string
	events    []Event
	sends     map[string]int // the event that sends a message

	facts          [][]recording.Fact // by round
	sent, arriving [][]*recording.Message
}

// sort tells facts and messages apart by their rounds.
func (t *eventCollector) sort() {
	for _, f := range t.execution.Facts {
		t.facts[f.Round] = append(t.facts[f.Round], f)
	}
	for i := range t.execution.Messages {
		m := &t.execution.Messages[i]
		if m.From == m.To || t.execution.System == "" && m.Round == t.execution.Bounds.EOT {
			continue
		}
		if !m.Again {
			t.sent[m.Round] = append(t.sent[m.Round], m)
		}
		at := max(m.Round, m.Arrival)
		if !m.Lost && at < len(t.arriving) {
			t.arriving[at] = append(t.arriving[at], m)
		}
	}
}

func (t *eventCollector) add(e Event) int {
	t.events = append(t.events, e)
	return len(t.events) - 1
}

// strike adds the faults of processes that begin in a round: those within it, or the
// others.
func (t *eventCollector) strike(round int, within bool) {
	for _, f := range t.execution.Schedule.Normal().Faults {
		p := slices.Index(t.processes, f.Process)
		if f.Round == round && p >= 0 && f.To == "" && (f.Point() != "") == within {
			t.add(Event{What: faultBegins, Process: p, Round: round, Text: f.String(), From: -1})
		}
	}
}

// hold adds the facts of a round that did not hold in the one before.
func (t *eventCollector) hold(round int) {
	before := map[string]bool{}
	for _, f := range t.facts[round-1] {
		before[t.display(f.Relation, f.Args)] = true
	}
	for _, f := range t.facts[round] {
		text := t.display(f.Relation, f.Args)
		if len(f.Args) == 0 || before[text] {
			continue
		}
		if p := slices.Index(t.processes, f.Args[0].Text()); p >= 0 {
			t.add(Event{What: factHolds, Process: p, Round: round, Text: text, From: -1})
		}
	}
}

func (t *eventCollector) send(round int) {
	for _, m := range t.sent[round] {
		p := slices.Index(t.processes, m.From)
		if p < 0 {
			continue
		}
		text := fmt.Sprintf("sends %s to %s", t.content(m), m.To)
		if m.Lost {
			text += ", lost: " + m.Cause.String()
		}
		t.sends[messageKey(m)] = t.add(Event{What: messageSent, Process: p, Round: round, Text: text, Message: m, From: -1})
	}
}

func (t *eventCollector) receive(round int) {
	for _, m := range t.arriving[round] {
		p := slices.Index(t.processes, m.To)
		if p < 0 {
			continue
		}
		from, text := -1, "receives "+t.content(m)
		if m.From != "" {
			text += " from " + m.From
		}
		if i, ok := t.sends[messageKey(m)]; ok {
			from = i
		}
		t.add(Event{What: messageArrives, Process: p, Round: round, Text: text, Message: m, From: from})
	}
}

// content is what a message says, without its receiver.
func (t *eventCollector) content(m *recording.Message) string {
	return t.display(m.Relation, m.Args[min(1, len(m.Args)):])
}

func (t *eventCollector) display(relation string, args []specs.Value) string {
	return recording.Display(recording.Fact{Relation: relation, Args: args}, t.processes)
}

// messageKey is the same for a message and for its duplicates.
func messageKey(m *recording.Message) string {
	return fmt.Sprintf("%q %q %d %s", m.From, m.To, m.Round, recording.Fact{Relation: m.Relation, Args: m.Args})
}
