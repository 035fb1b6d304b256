package strategies

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// table has the steps of processes that executions have shown: a function, as far as it is
// known, from the local state before a round and the messages that arrive to the local
// state after the round and the facts that are reported.
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
	learnt    []string        // the steps that it was the first to show
	err       error

	transitions map[string]*transition
	executed    int // different executions, and crashes before anything was received
	scratch     []byte

	points   [][]string         // by process, where it can crash within a round
	crashers []bool             // by process, whether it is told that it crashes
	told     map[string]bool    // in which rounds and states
	downs    map[[2]int32]int32 // the states that this leaves, by process and state
	trail    [][]localState     // of the execution at hand, by process
}

// localState is a local state of a process after a round.
type localState struct {
	round int
	state int32
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
		system: s.Name, processes: b.Processes, index: map[string]int{}, histories: h, reports: newHistories(search.Everything()), payloads: newPayloads(s.Bounds.Kinds), requests: newRequests(s),
		starts: make([]int32, len(b.Processes)), rows: map[turn]*row{}, transitions: map[string]*transition{},
		crashers: crashers(s.System), told: map[string]bool{}, downs: map[[2]int32]int32{}, trail: make([][]localState, len(b.Processes)),
	}
	for i, name := range b.Processes {
		table.index[name] = i
		table.names, table.points = append(table.names, interner{}), append(table.points, nil)
		if b.Crashes != 0 {
			table.points[i] = b.Points[name]
		}
	}
	return table
}

// crashers tells which processes are told of their crash; the first execution reports
// processes that cannot be made.
func crashers(s *system.System) (all []bool) {
	all = make([]bool, len(s.Processes))
	defer func() { _ = recover() }()
	for i, name := range s.Processes {
		p := s.New(name, rand.New(rand.NewPCG(0, 0)))
		_, all[i] = p.(system.Crasher)
		if p, ok := p.(system.Closer); ok {
			p.Close()
		}
	}
	return all
}

// begin says under which schedule the next execution runs.
func (t *table) begin(s rounds.Schedule) {
	t.schedule, t.learnt, t.err = s, t.learnt[:0], nil
	for i := range t.trail {
		t.trail[i] = t.trail[i][:0]
	}
}

// end learns in which states processes of the execution were told that they crash.
func (t *table) end() {
	faults := slices.Clone(t.schedule.Faults)
	slices.SortStableFunc(faults, func(f, g rounds.Fault) int { return schedules.Instant(f) - schedules.Instant(g) })
	crashed := map[int]localState{} // by process, after which round, and the state that this left
	for _, f := range faults {
		p := t.index[f.Process]
		if f.Kind != rounds.Crash || !t.crashers[p] {
			continue
		}
		after, state := 0, t.starts[p]
		for _, s := range t.trail[p] {
			if s.round < f.Round || s.round == f.Round && f.Point() != "" {
				after, state = s.round, s.state
			}
		}
		if before, ok := crashed[p]; ok && before.round == after { // it took part in no round since
			state = before.state
		}
		crashed[p] = localState{after, t.crashedIn(p, state)}
		if k := crashKey(p, f.Round, state); !t.told[k] {
			t.told[k] = true
			t.learnt = append(t.learnt, k)
		}
	}
}

// crashKey names the crash of a process in a state.
func crashKey(process, round int, state int32) string {
	return key(int32(process), int32(round), state, crashed)
}

// observe learns one transition.
func (t *table) observe(o system.Transition) {
	p := t.index[o.Process]
	state, _ := t.names[p].number(o.State)
	for range o.Told {
		state = t.crashedIn(p, state)
	}
	next, _ := t.names[p].number(o.Next)
	if o.Round == 1 && !o.Restarted {
		t.starts[p] = state
	}
	t.trail[p] = append(t.trail[p], localState{o.Round, next})
	waiting, asked := t.requests.shown(o.Requests, o.Round)
	at := turn{int32(p), int32(o.Round), beginning{state: state, restart: o.Restarted, waiting: waiting, asked: asked, more: int32(o.More)}}
	sent := t.payloads.sent(t.processes, o.Sent)
	shown := receipt{next: next, facts: t.histories.of(o.Facts), reports: t.reports.of(o.Facts), crashed: o.Point != ""}
	point := int32(slices.Index(t.points[p], o.Point) + 1)
	if o.Point != "" && !o.Received {
		if t.sends(o, at.to(point), sending{to: sent, facts: shown.facts, crashed: true, next: next, reports: shown.reports}) {
			t.executed++
		}
		return
	}
	inbox := t.payloads.arrived(t.index, o.Inbox)
	t.sends(o, at, sending{to: sent})
	if t.receives(o, at.to(point), inbox, shown) {
		t.executed++
	}
	for i, name := range t.points[p] {
		reached := name == o.Point
		if !reached && slices.Contains(o.Passed, name) {
			continue // there is no telling when
		}
		t.sends(o, at.to(int32(i+1)), sending{to: sent})
		if o.Point == "" {
			t.receives(o, at.to(int32(i+1)), inbox, shown)
		}
	}
}

// to is the turn of a process that is to crash at a point.
func (k turn) to(point int32) turn {
	k.point = point
	return k
}

// sends learns how a process begins a round. It tells whether that is new.
func (t *table) sends(o system.Transition, k turn, s sending) bool {
	s.beginning = k.beginning
	known := t.rows[k]
	if known == nil {
		t.rows[k] = &row{sending: s, schedule: t.schedule}
		t.learnt = append(t.learnt, string(k.pack(nil, nil)))
		return true
	}
	before := &known.sending
	if !slices.Equal(before.to, s.to) {
		t.differs(o, known.schedule, "messages sent", t.sentText(before.to), t.sentText(s.to))
	}
	if before.crashed != s.crashed {
		t.differs(o, known.schedule, "the point that it comes to before it receives", fmt.Sprint(before.crashed), fmt.Sprint(s.crashed))
	}
	if s.crashed {
		t.compare(o, known.schedule, receipt{next: before.next, facts: before.facts}, receipt{next: s.next, facts: s.facts})
	}
	return false
}

// receives learns how a process ends a round. It tells whether that is new.
func (t *table) receives(o system.Transition, k turn, inbox []int32, r receipt) bool {
	what := string(k.pack(nil, inbox))
	known := t.transitions[what]
	if known == nil {
		t.transitions[what] = &transition{r, t.schedule}
		t.learnt = append(t.learnt, what)
		return true
	}
	t.compare(o, known.schedule, known.receipt, r)
	return false
}

// compare reports a round that ends in two different ways.
func (t *table) compare(o system.Transition, under rounds.Schedule, before, now receipt) {
	if before.next != now.next {
		names := t.names[t.index[o.Process]]
		t.differs(o, under, "state after the round", names.text(before.next), names.text(now.next))
	}
	if before.facts != now.facts {
		t.differs(o, under, "facts", t.histories.text(before.facts), t.histories.text(now.facts))
	}
	if before.crashed != now.crashed {
		t.differs(o, under, "the point that it comes to", fmt.Sprint(before.crashed), fmt.Sprint(now.crashed))
	}
}

// differs reports a process that took two different steps in the same local state, round
// and with the same messages.
func (t *table) differs(o system.Transition, under rounds.Schedule, what, first, second string) {
	if t.err == nil {
		t.err = &system.NondeterminismError{
			System: t.system, Schedule: under, Round: o.Round, Process: o.Process, What: what, First: first, Second: second,
			Other: t.schedule, State: o.State,
		}
	}
}

// sentText writes the lists sent, given their numbers by receiver.
func (t *table) sentText(to []int32) string {
	var texts []string
	for i, list := range to {
		for _, payload := range t.payloads.lists[list] {
			texts = append(texts, t.processes[i]+": "+execution.PayloadText(payload))
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

func (t *table) crash(process, round int, state int32) (int32, error) {
	if k := crashKey(process, round, state); t.crashers[process] && !t.told[k] {
		return 0, unknown(k)
	}
	if t.crashers[process] {
		state = t.crashedIn(process, state)
	}
	return state, nil // the state in which the process crashed determines its steps
}

// crashedIn is the state that a process is in when it was told of its crash in a
// state. What it is like shows when it comes back. If it is paused it can be told of
// another crash before that.
func (t *table) crashedIn(process int, state int32) int32 {
	k := [2]int32{int32(process), state}
	down, known := t.downs[k]
	if !known {
		down, _ = t.names[process].number(t.names[process].text(state) + "\x00crashed")
		t.downs[k] = down
	}
	return down
}

// These follow the inbox of a process that restarts, gets requests that waited or are
// chosen, more or fewer ticks, or is to crash at a point; they replace the inbox of a
// process that crashes.
const (
	unusual = -2
	crashed = -3
)

// pack appends the name of a process that begins a round as k, and gets the messages of an
// inbox.
func (k turn) pack(b []byte, inbox []int32) []byte {
	b = pack(pack(b, k.process, k.round, k.state), inbox...)
	restart := int32(0)
	if k.restart {
		restart = 1
	}
	if restart|k.waiting|k.point|k.asked|k.more != 0 {
		b = pack(b, unusual, restart, k.waiting, k.point, k.asked)
	}
	if k.more != 0 {
		b = pack(b, k.more)
	}
	return b
}
