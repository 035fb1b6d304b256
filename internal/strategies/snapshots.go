package strategies

import (
	"sync"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// snapshots is a source that runs processes from kept states.
type snapshots struct {
	processes []string
	local     *system.Local
	histories *histories
	payloads  *payloads
	requests  *requests
	names     []interner
	states    [][]system.State // by process and number
	sends     map[turn]*sending
	middles   []system.State // of processes that have sent, by number
	receipts  map[string]*receipt
	downs     map[turn]int32 // the states after a crash
	points    [][]string     // by process
	scratch   []byte
	busy      sync.Mutex // held except while a process is called: a watcher of the call may then look at its history
}

// outside calls a process.
func (s *snapshots) outside(call func()) {
	s.busy.Unlock()
	defer s.busy.Lock()
	call()
}

// turn is a process that begins a round.
type turn struct {
	process, round int32
	beginning
}

func newSnapshots(session *search.Session, h *histories) (*snapshots, error) {
	local, err := session.System.NewLocal(session.Bounds.EOT, session.Settings)
	if err != nil {
		return nil, err
	}
	session.Settle(local.Settings())
	processes := session.Bounds.Processes
	s := &snapshots{
		processes: processes, local: local, histories: h, payloads: newPayloads(session.Bounds.Kinds), requests: newRequests(session),
		states: make([][]system.State, len(processes)),
		sends:  map[turn]*sending{}, receipts: map[string]*receipt{}, downs: map[turn]int32{},
	}
	for _, name := range s.processes {
		s.names, s.points = append(s.names, interner{}), append(s.points, session.Bounds.Points[name])
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

func (s *snapshots) send(process, round int, from beginning) (*sending, error) {
	k := turn{int32(process), int32(round), from}
	if known, ok := s.sends[k]; ok {
		return known, nil
	}
	var middle system.State
	var messages []system.Message
	var facts []recording.Fact
	var crashed bool
	var err error
	requests, point := s.requests.given(from, process, round), s.point(process, from.point)
	s.outside(func() {
		middle, messages, facts, crashed, err = s.local.Send(process, round, s.states[process][from.state], from.restart, requests, point, int(from.more))
	})
	if err != nil {
		return nil, err
	}
	known := &sending{
		beginning: from, number: int32(len(s.middles)), to: s.payloads.sent(s.processes, messages), facts: s.histories.of(facts), crashed: crashed,
	}
	if crashed {
		known.next = s.number(process, middle)
	}
	s.sends[k], s.middles = known, append(s.middles, middle)
	return known, nil
}

// point returns the name of a point of a process.
func (s *snapshots) point(process int, number int32) string {
	if number == 0 {
		return ""
	}
	return s.points[process][number-1]
}

func (s *snapshots) receive(process, round int, from *sending, inbox []int32) (*receipt, error) {
	s.scratch = pack(pack(s.scratch[:0], from.number), inbox...)
	if known, ok := s.receipts[string(s.scratch)]; ok {
		return known, nil
	}
	var next system.State
	var facts []recording.Fact
	var crashed bool
	var err error
	messages, point := s.payloads.messages(s.processes, process, inbox), s.point(process, from.point)
	s.outside(func() {
		next, facts, crashed, err = s.local.Receive(process, round, s.middles[from.number], messages, point)
	})
	if err != nil {
		return nil, err
	}
	known := &receipt{next: s.number(process, next), facts: s.histories.of(facts), crashed: crashed}
	s.receipts[string(s.scratch)] = known
	return known, nil
}

func (s *snapshots) crash(process, round int, state int32) (int32, error) {
	k := turn{int32(process), int32(round), beginning{state: state}}
	if down, ok := s.downs[k]; ok {
		return down, nil
	}
	var down system.State
	var err error
	s.outside(func() { down, err = s.local.Crash(process, round, s.states[process][state]) })
	if err != nil {
		return 0, err
	}
	s.downs[k] = s.number(process, down)
	return s.downs[k], nil
}
