package system

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Transition is the behaviour of one process in one round. The same State, Round,
// Ticks, Restarted, Told, Kept, Conditions, Requests, Inbox and crash point always lead
// to the same Next, Sent and Facts. (A process that does not ask its Step for the
// round, or for random numbers, behaves the same in every round.)
//
// The slices are valid until the function Transition of RunOptions returns.
type Transition struct {
	Process   string
	Round     int
	State     string // the local state of the process before the round
	Restarted bool   // the process restarted in this round
	Told      int    // the number of crashes that the process was told of since it was in that state; several if it was paused in between
	Kept      string // what the disk kept in these crashes, such as "1:torn " in the first of them; empty if nothing

	Conditions Conditions // the faults of its machine
	Ticks      int
	More       int // ticks beyond Ticks, by a clock that runs wrong, of a process without a machine, or by a fault
	Requests   []Request
	Sent       []Message // the messages sent in this round, whether they arrive or not
	Inbox      []Message
	Facts      []recording.Fact
	Next       string // the local state of the process after the round

	// Point is the point within the round at which the process crashed, "" if it did
	// not. With a Point, Sent and Facts are those before it, and Next is the state in
	// which the process crashed. A crash at the end of a round, because its point was
	// not reached, is no part of a transition.
	Point    string
	Received bool     // Receive was called; otherwise the process crashed before, and Inbox is empty
	Passed   []string // the points that the process reached, in order

	reported marks
}

// marks are the numbers of facts that a process had reported in a round when it
// had restarted, and when it had sent; and how many of its calls had begun when it
// came to the point where it crashed, 0 if it did not.
type marks struct{ restarted, sent, crashed int }

// history stands for everything that a process without a fingerprint has been
// given so far.
type history [sha256.Size]byte

// observe tells the transition of a process.
func (r *Runner) observe(p *participant) error {
	before := p.state
	if p.fingerprinter == nil {
		if err := p.call(callText, func() { p.remember(r.round) }); err != nil {
			return err
		}
	}
	if err := p.nameState(); err != nil {
		return err
	}
	r.sent = r.sent[:0]
	for i := range p.step.outbox {
		r.sent = append(r.sent, p.step.message(&p.step.outbox[i]))
	}
	r.options.Transition(Transition{
		Process: p.name, Round: r.round, State: before, Restarted: p.restarted, Told: p.told, Kept: p.kept, Conditions: p.step.Conditions(), Ticks: r.ticks, More: p.more + p.extra,
		Requests: p.step.requests, Sent: r.sent, Inbox: p.inbox, Facts: p.step.facts, Next: p.state,
		Point: p.point(), Received: !p.fell, Passed: p.passed, reported: p.reported,
	})
	p.told, p.kept = 0, ""
	return nil
}

// point returns where the process has crashed in this round, "" if at no point.
func (p *participant) point() string {
	if p.fell || p.crashed {
		return p.ending.Point()
	}
	return ""
}

// nameState names the local state of a process: by its fingerprint, or else by what
// it has been given. How many random numbers it has drawn belongs to it.
func (p *participant) nameState() error {
	if p.fingerprinter == nil {
		p.state = hex.EncodeToString(p.history[:8])
		return nil
	}
	var err error
	p.state, err = p.nameOf()
	return err
}

// nameOf returns the fingerprint of a process, and how many random numbers it
// has drawn.
func (p *participant) nameOf() (state string, err error) {
	err = p.call(callFingerprint, func() { state = p.fingerprinter.Fingerprint() })
	if p.random.source.drawn > 0 {
		state += fmt.Sprintf(" random=%d", p.random.source.drawn)
	}
	if p.random.source.reseeded {
		state += " reseeded"
	}
	if state == "" {
		state = " " // an empty name is none
	}
	return state, err
}

// named tells whether a state that nameOf names has a fingerprint: an empty one is
// none.
func named(state string) bool { return !strings.HasPrefix(state, " ") }

// remember adds what a process was given in a round to its history.
func (p *participant) remember(round int) {
	h := sha256.New()
	h.Write(p.history[:])
	fmt.Fprintf(h, "%d %t %d\n", round, p.restarted, len(p.step.requests))
	for _, q := range p.step.requests {
		fmt.Fprintf(h, "%d %q\n", q.ID, execution.PayloadText(q.Payload))
	}
	if p.told > 1 {
		fmt.Fprintf(h, "told %d\n", p.told)
	}
	if c := p.step.Conditions(); p.kept != "" || c != (Conditions{}) {
		fmt.Fprintf(h, "machine %q %v\n", p.kept, c)
	}
	for _, m := range p.inbox {
		fmt.Fprintf(h, "%q %q %q\n", m.From, execution.PayloadKind(m.Payload), execution.PayloadText(m.Payload))
	}
	if point := p.point(); point != "" {
		fmt.Fprintf(h, "crash %q %t\n", point, p.fell)
	}
	h.Sum(p.history[:0])
}
