package etcd

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/rounds/system"
)

// process is a node that takes part in lock-step rounds.
type process struct {
	node      Node
	logger    *Logger
	open      []system.Request // that have no reply yet
	applied   []Entry          // all that was ever committed
	compacted uint64           // the index of the snapshot
	reported  Status           // in this round already
	work      Work
	state     state
}

// start makes the node from its storage.
func (p *process) start() {
	p.logger.detach()
	stored, err := p.node.Restart()
	must(err)
	p.logger.attach(p.node.Raw())
	stored.Role = "follower"
	p.work = Work{Status: stored}
}

// Tick lets the time of the node go on.
func (p *process) Tick(*system.Step) { p.node.Tick() }

// mostReady is far more often than a node has something to do in a round. One
// that never comes to an end is a mistake of the library.
const mostReady = 10_000

// Send takes the requests of the round, and sends what the node wants to.
func (p *process) Send(s *system.Step) {
	for _, r := range s.Requests() {
		switch payload := r.Payload.(type) {
		case Propose:
			_ = p.node.Propose(dataOf(r.ID, payload)) // dropped without a leader
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
	for done := 0; p.node.HasReady(); done++ {
		if done == mostReady {
			panic(fmt.Sprintf("the node still has something to do after %d times Ready in one round", done))
		}
		must(p.node.Ready(&p.work))
		p.do(s)
	}
	p.report(s)
	p.reported = Status{}
}

// do does what the node wants to be done.
func (p *process) do(s *system.Step) {
	// The library sends to the others in the order of a map.
	for i, to := range s.Processes() {
		for _, m := range p.work.Messages {
			if m.To == uint64(i+1) {
				s.Send(to, m.Payload)
			}
		}
	}
	p.snapshotsSent()
	p.install(s, p.work.Snapshot)
	for _, e := range p.work.Committed {
		p.apply(s, e)
	}
	for _, r := range p.work.Reads {
		if request, err := strconv.Atoi(string(r.Context)); err == nil {
			p.reply(s, request, "read", r.Index)
		}
	}
	p.work = Work{Status: p.work.Status, Messages: p.work.Messages[:0], Committed: p.work.Committed[:0], Reads: p.work.Reads[:0]}
}

// snapshotsSent tells the node of each snapshot that it is on its way, as a
// transport does that cannot know more. Then the node tries to go on behind it.
func (p *process) snapshotsSent() {
	for _, m := range p.work.Messages {
		if m.Snapshot {
			p.node.SnapshotSent(m.To)
		}
	}
}

// apply applies a committed entry.
func (p *process) apply(s *system.Step, e Entry) {
	p.applied = append(p.applied, e)
	request, value := parseData(e.Data)
	s.Fact("committed", e.Index, e.Term, value)
	p.reply(s, request, "wrote", e.Index)
}

// compact replaces the log by a snapshot of all that was applied, unless there is
// one already.
func (p *process) compact() {
	if last := p.last(); last > p.compacted {
		must(p.node.Compact(last, snapshotOf(p.applied)))
		p.compacted = last
	}
}

// install applies what is new in a snapshot.
func (p *process) install(s *system.Step, snapshot []byte) {
	for _, e := range entriesOf(snapshot) {
		if e.Index > p.last() {
			p.apply(s, e)
		}
		p.compacted = e.Index
	}
}

// last returns the index up to which everything is applied.
func (p *process) last() uint64 {
	if len(p.applied) == 0 {
		return 0
	}
	return p.applied[len(p.applied)-1].Index
}

// reply answers a request that was made of this process and has no reply yet.
func (p *process) reply(s *system.Step, id int, relation string, index uint64) {
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
func (p *process) report(s *system.Step) {
	status := p.work.Status
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
func (p *process) Receive(_ *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		p.node.Step(m.Payload)
	}
}

// Restart forgets everything that is not in stable storage, requests included.
func (p *process) Restart(s *system.Step) {
	p.open, p.applied, p.compacted = nil, nil, 0
	p.start()
	snapshot, err := p.node.Snapshot()
	must(err)
	p.install(s, snapshot)
	p.report(s)
}

// Fingerprint returns the local state: all that the library keeps, the storage,
// and the requests that have no reply yet. What was applied is in the storage.
func (p *process) Fingerprint() string {
	var b bytes.Buffer
	p.state.write(&b, p.node.Raw())
	for _, r := range p.open {
		fmt.Fprintf(&b, " open=%d", r.ID)
	}
	return strings.TrimSpace(b.String())
}
