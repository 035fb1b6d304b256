package etcd

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/rounds/system"
)

// process is a node that takes part in lock-step rounds.
type process struct {
	node      Node
	logger    *Logger
	clients   clients
	applied   []Entry // all that was ever committed, but for the first members
	stored    int     // so many of those are known to be applied after a crash
	last      uint64  // the index up to which everything is applied
	config    Config  // that was applied last
	known     bool    // it was reported
	compacted uint64  // the index of the snapshot
	reported  reported
	role      any // that was reported last, and the vote
	vote      any
	work      Work
	state     state
}

// start makes the node from its storage, which says what was applied.
func (p *process) start() (applied uint64) {
	p.logger.detach()
	stored, err := p.node.Restart()
	must(err)
	p.logger.attach(p.node.Raw())
	p.work = Work{Status: Status{Term: stored.Term, Vote: stored.Vote, Role: "follower"}}
	p.config, p.known, p.reported = stored.Config, false, reported{}
	return stored.Applied
}

// Tick lets the time of the node go on.
func (p *process) Tick(*system.Step) { p.node.Tick() }

// mostReady is far more often than a node has something to do in a round. One
// that never comes to an end is a mistake of the library.
const mostReady = 10_000

// Send takes the requests of the round, and sends what the node wants to.
func (p *process) Send(s *system.Step) {
	p.reportConfig(s)
	for _, r := range s.Requests() {
		p.take(s, r)
	}
	for done := 0; p.node.HasReady(); done++ {
		if done == mostReady {
			panic(fmt.Sprintf("the node still has something to do after %d times Ready in one round", done))
		}
		p.ready(s)
	}
	p.report(s)
	p.reported = reported{}
}

// ready does what the node wants to be done, in the order that the library asks
// for. A crash can come between any two steps.
func (p *process) ready(s *system.Step) {
	before := p.work.Status
	must(p.node.Ready(&p.work))
	s.At(beforeStore)
	must(p.node.Store())
	p.reportStored(s, before)
	s.At(afterStore)
	p.send(s)
	s.At(afterSend)
	p.install(s, p.work.Snapshot)
	for _, e := range p.work.Committed {
		p.apply(s, e)
	}
	s.At(afterApply)
	p.answer(s)
	s.At(afterAnswer)
	p.storeApplied()
	p.node.Advance()
	p.work.done()
}

// The crash points, which a process comes to whenever its node has something to do.
const (
	beforeStore = "before-store" // nothing is stored yet
	afterStore  = "stored"       // term, vote, log and snapshot are; nothing is sent
	afterSend   = "sent"         // nothing is applied
	afterApply  = "applied"      // no client has a reply
	afterAnswer = "answered"     // that it is applied is not stored
)

// CrashPoints returns them.
func (p *process) CrashPoints() []string {
	return []string{beforeStore, afterStore, afterSend, afterApply, afterAnswer}
}

// send sends in the order of the processes: the library does in that of a map.
func (p *process) send(s *system.Step) {
	for i, to := range s.Processes() {
		for _, m := range p.work.Messages {
			if m.To == uint64(i+1) {
				s.Send(to, m.Payload)
			}
		}
	}
	p.snapshotsSent()
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
	p.remember(s, e)
	if e.Change != nil {
		config, err := p.node.ApplyConfChange(*e.Change)
		must(err)
		p.config, p.known = config, false
		p.reportConfig(s)
	}
}

// remember reports an entry as one that is applied.
func (p *process) remember(s *system.Step, e Entry) {
	p.applied, p.last = append(p.applied, e), e.Index
	p.reportCommitted(s, e)
}

// answer answers the requests whose entries were applied, and reads.
func (p *process) answer(s *system.Step) {
	for _, e := range p.applied[p.stored:] {
		p.clients.reply(s, requestOf(e), "wrote", e.Index)
	}
	for _, r := range p.work.Reads {
		p.clients.reply(s, requestIn(r.Context), "read", r.Index)
	}
}

// storeApplied has the node store that everything is applied.
func (p *process) storeApplied() {
	if len(p.applied) > p.stored {
		must(p.node.StoreApplied(p.last))
		p.stored = len(p.applied)
	}
}

// compact replaces the log by a snapshot of all that was applied, unless there is
// one already.
func (p *process) compact() {
	if p.last > p.compacted {
		must(p.node.Compact(p.last, snapshotOf(p.applied)))
		p.compacted = p.last
	}
}

// install applies what is new in a snapshot.
func (p *process) install(s *system.Step, snapshot Snapshot) {
	if snapshot.Index <= p.last {
		return
	}
	for _, e := range entriesOf(snapshot.Data) {
		if e.Index > p.last {
			p.remember(s, e)
		}
	}
	p.last, p.compacted = snapshot.Index, snapshot.Index
	p.config, p.known = snapshot.Config, false
	p.reportConfig(s)
}

// Receive lets the node step what arrived.
func (p *process) Receive(_ *system.Step, inbox []system.Message) {
	for i := range inbox {
		p.node.Step(inbox[i].Payload)
	}
}

// Restart forgets everything that is not in stable storage, requests included.
func (p *process) Restart(s *system.Step) {
	p.clients.open = nil
	stored := p.start()
	p.applied, p.last = p.applied[:p.stored], 0
	for _, e := range p.applied {
		p.reportCommitted(s, e)
		p.last = e.Index
	}
	snapshot, err := p.node.Snapshot()
	must(err)
	p.compacted = snapshot.Index
	p.install(s, snapshot) // that was stored, but not applied
	p.last = max(p.last, stored)
	p.storeApplied()
	p.reportConfig(s)
	p.report(s)
}

// Fingerprint returns the local state: all that the library and the wrappers of
// the node keep, the storage, and the requests that have no reply yet. What was
// applied is in the storage.
func (p *process) Fingerprint() string {
	var b bytes.Buffer
	p.state.node(&b, p.node)
	p.clients.write(&b)
	if !p.known {
		b.WriteString(" new")
	}
	return strings.TrimSpace(b.String())
}
