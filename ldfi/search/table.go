package search

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// table is what executions have shown of the processes: a function, as far as it
// is known, from the local state before a round and what arrives to the local
// state after it and the facts that are reported.
type table struct {
	processes []string
	index     map[string]int
	histories *histories
	reports   *histories // all facts, in whatever round
	parcels   *parcels
	names     []*interner[string] // of local states, by process
	starts    []int32
	byState   map[[3]int32]*row
	schedule  rounds.Schedule // of the execution at hand
	learnt    []string        // what it was the first to show
	err       error

	transitions map[string]*transition
	missing     string // what was asked for last and is not known
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

func newTable(t *Target, h *histories) *table {
	b := t.Bounds
	table := &table{
		processes: b.Processes, index: map[string]int{}, histories: h, reports: newHistories(&lens{ever: true}), parcels: newParcels(),
		starts: make([]int32, len(b.Processes)), byState: map[[3]int32]*row{}, transitions: map[string]*transition{},
	}
	for i, name := range b.Processes {
		table.index[name] = i
		table.names = append(table.names, newInterner[string]())
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
	sent := t.parcels.sort(t.processes, o.Sent)
	k := [3]int32{int32(p), int32(o.Round), state}
	r := t.byState[k]
	if r == nil {
		r = &row{sending: sending{to: sent}, schedule: t.schedule}
		t.byState[k] = r
		t.learnt = append(t.learnt, key(k[:]...))
	}
	if !slices.Equal(r.sending.to, sent) {
		t.differs(o, r.schedule, "sends something else")
	}
	from := t.arrivals(o.Inbox)
	facts := t.histories.of(o.Facts)
	what := string(pack(pack(nil, k[:]...), from...))
	known := t.transitions[what]
	if known == nil {
		t.transitions[what] = &transition{receipt{next, facts, t.reports.of(o.Facts)}, t.schedule}
		t.learnt = append(t.learnt, what)
		return
	}
	if known.next != next {
		t.differs(o, known.schedule, fmt.Sprintf("ends in the state %q and not in another", o.Next))
	}
	if known.facts != facts {
		t.differs(o, known.schedule, "reports other facts")
	}
}

// arrivals returns the numbers of what arrives from each process.
func (t *table) arrivals(inbox []system.Message) []int32 {
	from := make([]int32, len(t.processes))
	for i, name := range t.processes {
		var payloads []any
		for _, m := range inbox {
			if m.From == name {
				payloads = append(payloads, m.Payload)
			}
		}
		from[i] = t.parcels.number(payloads)
	}
	return from
}

// HiddenStateError reports that a process did two different things in the same
// local state, round and with the same messages: it has state that its
// fingerprint does not show, or does not always do the same.
type HiddenStateError struct {
	Process       string
	Round         int
	State         string // its fingerprint
	Difference    string // what it does in the second execution that it did not in the first
	First, Second rounds.Schedule
}

func (e *HiddenStateError) Error() string {
	return fmt.Sprintf("in round %d process %s is in the state %q and gets the same messages under two schedules, and %s under the second: "+
		"its fingerprint lacks a part of its state, or it does not always do the same\n  first:  %q\n  second: %q",
		e.Round, e.Process, e.State, e.Difference, e.First, e.Second)
}

func (t *table) differs(o system.Transition, first rounds.Schedule, what string) {
	if t.err == nil {
		t.err = &HiddenStateError{o.Process, o.Round, o.State, what, first, t.schedule}
	}
}

// The table is a source for a search through global states.

func (t *table) start(process int) (int32, error) { return t.starts[process], nil }

func (t *table) send(process, round int, state int32) (*sending, error) {
	if r := t.byState[[3]int32{int32(process), int32(round), state}]; r != nil {
		return &r.sending, nil
	}
	t.missing = key(int32(process), int32(round), state)
	return nil, errUnknown
}

func (t *table) receive(process, round int, state int32, from []int32) (*receipt, error) {
	t.scratch = pack(pack(t.scratch[:0], int32(process), int32(round), state), from...)
	if known := t.transitions[string(t.scratch)]; known != nil {
		return &known.receipt, nil
	}
	t.missing = string(t.scratch)
	return nil, errUnknown
}
