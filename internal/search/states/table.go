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
	names     []interner // of local states, by process
	starts    []int32
	byState   map[[3]int32]*row
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
		system: s.Name, processes: b.Processes, index: map[string]int{}, histories: h, reports: newHistories(search.Everything()), payloads: newPayloads(),
		starts: make([]int32, len(b.Processes)), byState: map[[3]int32]*row{}, transitions: map[string]*transition{},
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
	sent := t.payloads.sort(t.processes, o.Sent, receiver)
	k := [3]int32{int32(p), int32(o.Round), state}
	r := t.byState[k]
	if r == nil {
		r = &row{sending: sending{to: sent}, schedule: t.schedule}
		t.byState[k] = r
		t.learnt = append(t.learnt, key(k[:]...))
	}
	if !slices.Equal(r.sending.to, sent) {
		t.differs(o, r.schedule, "messages sent", t.sentText(r.sending.to), t.sentText(sent))
	}
	from := t.payloads.sort(t.processes, o.Inbox, sender)
	facts := t.histories.of(o.Facts)
	what := string(pack(pack(nil, k[:]...), from...))
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

func (t *table) send(process, round int, state int32) (*sending, error) {
	if r := t.byState[[3]int32{int32(process), int32(round), state}]; r != nil {
		return &r.sending, nil
	}
	return nil, unknown(key(int32(process), int32(round), state))
}

func (t *table) receive(process, round int, state int32, from []int32) (*receipt, error) {
	t.scratch = pack(pack(t.scratch[:0], int32(process), int32(round), state), from...)
	if known := t.transitions[string(t.scratch)]; known != nil {
		return &known.receipt, nil
	}
	return nil, unknown(t.scratch)
}
