package etcd

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/rounds/system"
)

// Process is a node that takes part in lock-step rounds.
type Process struct {
	node     Node
	open     []system.Request // that have no reply yet
	applied  []Entry          // all that was ever committed
	reported Status           // in this round already
	work     Work
	state    state
}

// NewProcess returns a process around a node.
func NewProcess(node Node) *Process { return &Process{node: node} }

// Tick lets the time of the node go on.
func (p *Process) Tick(*system.Step) { p.node.Tick() }

// mostReady is far more often than a node has something to do in a round. One
// that never comes to an end is a mistake of the library.
const mostReady = 10_000

// Send takes the requests of the round, and sends what the node wants to.
func (p *Process) Send(s *system.Step) {
	for _, r := range s.Requests() {
		switch payload := r.Payload.(type) {
		case Propose:
			p.node.Propose(dataOf(r.ID, payload))
		case ReadIndex:
			p.node.ReadIndex(strconv.AppendInt(nil, int64(r.ID), 10))
		case Compact:
			p.compact()
			continue
		default:
			panic(fmt.Sprintf("request %d is a %T, and has to be an etcd.Propose, etcd.ReadIndex or etcd.Compact", r.ID, r.Payload))
		}
		p.open = append(p.open, r)
	}
	for done := 0; p.node.Ready(&p.work); done++ {
		if done == mostReady {
			panic(fmt.Sprintf("the node still has something to do after %d times Ready in one round", done))
		}
		p.do(s)
	}
	p.report(s)
	p.reported = Status{}
}

// do does what the node wants to be done.
func (p *Process) do(s *system.Step) {
	// The library sends to the others in the order of a map.
	for i, to := range s.Processes() {
		for _, m := range p.work.Messages {
			if m.To == uint64(i+1) {
				s.Send(to, m.Payload)
			}
		}
	}
	p.install(s, p.work.Snapshot)
	for _, e := range p.work.Committed {
		p.apply(s, e)
	}
	for _, r := range p.work.Reads {
		if request, err := strconv.Atoi(string(r.Context)); err == nil {
			p.reply(s, request, "read", r.Index)
		}
	}
	p.work = Work{Messages: p.work.Messages[:0], Committed: p.work.Committed[:0], Reads: p.work.Reads[:0]}
}

// apply applies a committed entry.
func (p *Process) apply(s *system.Step, e Entry) {
	p.applied = append(p.applied, e)
	request, value := parseData(e.Data)
	s.Fact("committed", e.Index, e.Term, value)
	p.reply(s, request, "wrote", e.Index)
}

// compact replaces the log by a snapshot of all that was applied.
func (p *Process) compact() {
	if len(p.applied) > 0 {
		p.node.Compact(p.last(), snapshotOf(p.applied))
	}
}

// install applies what is new in a snapshot.
func (p *Process) install(s *system.Step, snapshot []byte) {
	for _, e := range entriesOf(snapshot) {
		if e.Index > p.last() {
			p.apply(s, e)
		}
	}
}

// last returns the index up to which everything is applied.
func (p *Process) last() uint64 {
	if len(p.applied) == 0 {
		return 0
	}
	return p.applied[len(p.applied)-1].Index
}

// reply answers a request that was made of this process and has no reply yet.
func (p *Process) reply(s *system.Step, id int, relation string, index uint64) {
	for i, r := range p.open {
		if r.ID == id {
			p.open = slices.Delete(p.open, i, i+1)
			s.Fact(relation, id, index)
			s.Reply(r, index)
			return
		}
	}
}

// report reports what the node thinks of itself.
func (p *Process) report(s *system.Step) {
	status := p.node.Status()
	if status == p.reported {
		return
	}
	p.reported = status
	s.Fact("role", status.Role, status.Term)
	if status.Role == "leader" {
		s.Fact("leader", status.Term)
	}
	if status.Vote != 0 {
		s.Fact("vote", status.Term, s.Processes()[status.Vote-1])
	}
}

// Receive lets the node step what arrived.
func (p *Process) Receive(_ *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		p.node.Step(m.Payload)
	}
}

// Restart forgets everything that is not in stable storage, requests included.
func (p *Process) Restart(s *system.Step) {
	p.open, p.applied = nil, nil
	p.node.Restart()
	p.install(s, p.node.Snapshot())
	p.report(s)
}

// Fingerprint returns the local state: all that the library keeps, the storage,
// and the requests that have no reply yet. What was applied is in the storage.
func (p *Process) Fingerprint() string {
	var b bytes.Buffer
	p.state.write(&b, p.node.Raw())
	for _, r := range p.open {
		fmt.Fprintf(&b, " open=%d", r.ID)
	}
	return strings.TrimSpace(b.String())
}
