// Package states has the strategies that keep every state that they have met:
// exhaustive and learn.
package states

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// onlyIsolationsAndCrashes are the faults whose effects a global state has.
var onlyIsolationsAndCrashes = []rounds.Kind{rounds.Isolate, rounds.Crash}

// Exhaustive goes through all global states that isolations and crashes within
// the bounds can lead to, fewest faults first. It needs systems whose processes
// are Snapshotters and Fingerprinters. What it finds is a smallest schedule; when
// it finds nothing, there is nothing.
var Exhaustive = &search.Strategy{
	Name: "exhaustive",
	Why:  "the processes can be put back into states that have names: every global state is looked at once",
	Needs: search.Needs{
		Faults: onlyIsolationsAndCrashes, States: true, Settled: true,
		Offers: []string{search.OffersFingerprints, search.OffersSnapshots},
	},
	Search: searchExhaustively,
}

func searchExhaustively(ctx context.Context, s *search.Session) (*result.Answer, error) {
	l, err := search.NewLens(s.Properties)
	if err != nil {
		return nil, err
	}
	kept, err := newSnapshots(s, newHistories(l))
	if search.Panics(err) { // before the first round
		a := s.Answer(1)
		return a, s.Violated(ctx, a, s.With(rounds.Schedule{}))
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = kept.local.Close() }() // what goes wrong in that, executions show
	judge := s.Judge()
	p := &product{session: s, source: kept, histories: kept.histories, check: judge.Violates}
	kept.busy.Lock()
	defer kept.busy.Unlock()
	s.System.Calls.Follow(func() (rounds.Schedule, bool) {
		if !kept.busy.TryLock() {
			return rounds.Schedule{}, false
		}
		defer kept.busy.Unlock()
		return s.With(p.route(p.here)), true
	})
	schedule, found, err := p.search(ctx)
	for found && err == nil {
		var stands bool
		if stands, err = s.Concluded(ctx, s.With(schedule)); stands || err != nil {
			break
		}
		schedule, found, err = p.resume(ctx)
	}
	a := s.Answer(s.Executions)
	switch {
	case errors.Is(err, errTooMany):
		search.Stop(a, result.LimitSize, "there are more than %d global states", s.States)
	case found && err == nil:
		a, schedule = s.Answer(max(s.Executions, 1)), s.With(schedule)
		s.Settings, s.FewestFirst = schedule.Settings, true // fewer faults were looked for with these
		if err := s.Violated(ctx, a, schedule); err != nil {
			return nil, err
		}
	case ctx.Err() != nil:
		a.Limit = s.Ended(ctx)
		a.Limit.Reason += fmt.Sprintf(" after %d global states", len(p.nodes))
	case err != nil:
		return nil, err
	default:
		c := s.Certificate(l)
		c.States, c.Transitions = len(p.nodes), len(kept.receipts)
		search.Certify(a, c)
	}
	return a, nil
}

// snapshots is what processes do from states that were kept.
type snapshots struct {
	processes []string
	local     *system.Local
	histories *histories
	payloads  *payloads
	names     []interner
	states    [][]system.State // by process and number
	sends     map[[3]int32]*sent
	receipts  map[string]*receipt
	scratch   []byte
	busy      sync.Mutex // held but while a process is called: then who watches that may look at how it came about
}

// outside calls a process.
func (s *snapshots) outside(call func()) {
	s.busy.Unlock()
	defer s.busy.Lock()
	call()
}

// sent is a sending, and the process in the middle of the round.
type sent struct {
	sending
	middle system.State
}

func newSnapshots(session *search.Session, h *histories) (*snapshots, error) {
	local, err := session.System.NewLocal(session.Bounds.EOT, session.Settings)
	if err != nil {
		return nil, err
	}
	session.Settle(local.Settings())
	processes := session.Bounds.Processes
	s := &snapshots{
		processes: processes, local: local, histories: h, payloads: newPayloads(),
		states: make([][]system.State, len(processes)),
		sends:  map[[3]int32]*sent{}, receipts: map[string]*receipt{},
	}
	for range s.processes {
		s.names = append(s.names, interner{})
	}
	return s, nil
}

func (s *snapshots) number(process int, state system.State) int32 {
	i, fresh := s.names[process].number(state.Name)
	if fresh {
		s.states[process] = append(s.states[process], state)
	}
	return i
}

func (s *snapshots) start(process int) (int32, error) {
	var state system.State
	var err error
	s.outside(func() { state, err = s.local.Start(process) })
	if err != nil {
		return 0, err
	}
	return s.number(process, state), nil
}

func (s *snapshots) send(process, round int, state int32) (*sending, error) {
	k := [3]int32{int32(process), int32(round), state}
	if known, ok := s.sends[k]; ok {
		return &known.sending, nil
	}
	var middle system.State
	var messages []system.Message
	var facts []recording.Fact
	var err error
	s.outside(func() {
		middle, messages, facts, _, err = s.local.Send(process, round, s.states[process][state], false, nil, "")
	})
	if err != nil {
		return nil, err
	}
	known := &sent{sending{s.payloads.sort(s.processes, messages, receiver), s.histories.of(facts)}, middle}
	s.sends[k] = known
	return &known.sending, nil
}

func (s *snapshots) receive(process, round int, state int32, from []int32) (*receipt, error) {
	s.scratch = pack(pack(s.scratch[:0], int32(process), int32(round), state), from...)
	if known, ok := s.receipts[string(s.scratch)]; ok {
		return known, nil
	}
	middle := s.sends[[3]int32{int32(process), int32(round), state}].middle
	var next system.State
	var facts []recording.Fact
	var err error
	inbox := s.payloads.inbox(s.processes, process, from)
	s.outside(func() { next, facts, _, err = s.local.Receive(process, round, middle, inbox, "") })
	if err != nil {
		return nil, err
	}
	known := &receipt{next: s.number(process, next), facts: s.histories.of(facts)}
	s.receipts[string(s.scratch)] = known
	return known, nil
}
