package states

import (
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/payloadtext"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// table is what executions have shown of the processes: a function, as far as it
// is known, from the local state before a round and what arrives to the local
// state after it and the facts that are reported.
type table struct {
	system    string // its name
	processes []string
	index     map[string]int
	histories *histories
	reports   *histories // all facts, in whatever round
	payloads  *payloads
	requests  *requests
	names     []interner // of local states, by process
	starts    []int32
	rows      map[turn]*row
	schedule  rounds.Schedule // of the execution at hand
	learnt    []string        // what it was the first to show
	err       error

	transitions map[string]*transition
	scratch     []byte
}

// row is a local state of a process before a round.
type row struct {
	sending  sending
	schedule rounds.Schedule // that showed it first
}

// transition is how a process ends a round.
type transition struct {
	receipt
	schedule rounds.Schedule // that showed it first
}

func newTable(s *search.Session, h *histories) *table {
	b := s.Bounds
	table := &table{
		system: s.Name, processes: b.Processes, index: map[string]int{}, histories: h, reports: newHistories(search.Everything()), payloads: newPayloads(), requests: newRequests(s),
		starts: make([]int32, len(b.Processes)), rows: map[turn]*row{}, transitions: map[string]*transition{},
	}
	for i, name := range b.Processes {
		table.index[name] = i
		table.names = append(table.names, interner{})
	}
	return table
}

// begin says under which schedule the next execution runs.
func (t *table) begin(s rounds.Schedule) { t.schedule, t.learnt, t.err = s, t.learnt[:0], nil }

// observe learns one transition.
func (t *table) observe(o system.Transition) {
	p := t.index[o.Process]
	state, _ := t.names[p].number(o.State)
	next, _ := t.names[p].number(o.Next)
	if o.Round == 1 {
		t.starts[p] = state
	}
	sent := t.payloads.sent(t.processes, o.Sent)
	from := beginning{state, o.Restarted, t.requests.waited(o.Requests, p, o.Round)}
	k := turn{int32(p), int32(o.Round), from}
	r := t.rows[k]
	if r == nil {
		r = &row{sending: sending{beginning: from, to: sent}, schedule: t.schedule}
		t.rows[k] = r
		t.learnt = append(t.learnt, string(k.pack(nil, nil)))
	}
	if !slices.Equal(r.sending.to, sent) {
		t.differs(o, r.schedule, "messages sent", t.sentText(r.sending.to), t.sentText(sent))
	}
	facts := t.histories.of(o.Facts)
	what := string(k.pack(nil, t.payloads.arrived(t.index, o.Inbox)))
	known := t.transitions[what]
	if known == nil {
		t.transitions[what] = &transition{receipt{next, facts, t.reports.of(o.Facts)}, t.schedule}
		t.learnt = append(t.learnt, what)
		return
	}
	if known.next != next {
		t.differs(o, known.schedule, "state after the round", t.names[p].text(known.next), o.Next)
	}
	if known.facts != facts {
		t.differs(o, known.schedule, "facts", t.histories.text(known.facts), t.histories.text(facts))
	}
}

// differs reports a process that did two different things in the same local
// state, round and with the same messages.
func (t *table) differs(o system.Transition, under rounds.Schedule, what, first, second string) {
	if t.err == nil {
		t.err = &system.NondeterminismError{
			System: t.system, Schedule: under, Round: o.Round, Process: o.Process, What: what, First: first, Second: second,
			Other: t.schedule, State: o.State,
		}
	}
}

// sentText returns what is sent, given the numbers by receiver.
func (t *table) sentText(to []int32) string {
	var texts []string
	for i, list := range to {
		for _, payload := range t.payloads.lists[list] {
			texts = append(texts, t.processes[i]+": "+payloadtext.Of(payload))
		}
	}
	return strings.Join(texts, ", ")
}

// The table is a source for a search through global states.

func (t *table) start(process int) (int32, error) { return t.starts[process], nil }

func (t *table) send(process, round int, from beginning) (*sending, error) {
	k := turn{int32(process), int32(round), from}
	if r := t.rows[k]; r != nil {
		return &r.sending, nil
	}
	return nil, unknown(k.pack(nil, nil))
}

func (t *table) receive(process, round int, s *sending, inbox []int32) (*receipt, error) {
	t.scratch = turn{int32(process), int32(round), s.beginning}.pack(t.scratch[:0], inbox)
	if known := t.transitions[string(t.scratch)]; known != nil {
		return &known.receipt, nil
	}
	return nil, unknown(t.scratch)
}

// unusual is behind the inbox of a process that restarts or gets requests that
// waited.
const unusual = -2

// pack appends what names a process that begins a round in this way, and gets these
// messages.
func (k turn) pack(b []byte, inbox []int32) []byte {
	b = pack(pack(b, k.process, k.round, k.state), inbox...)
	switch {
	case k.restart:
		return pack(b, unusual, 1, k.waiting)
	case k.waiting != 0:
		return pack(b, unusual, 0, k.waiting)
	}
	return b
}
