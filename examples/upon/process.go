package upon

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// payload is a message with its tag.
type payload struct {
	kind  string
	round int
	value any
}

// Kind is what recordings call the message.
func (p payload) Kind() string { return p.kind }

// String is what recordings show of it.
func (p payload) String() string {
	return fmt.Sprintf("%d: %s", p.round, execution.PayloadText(p.value))
}

// letter is a message that is not sent yet.
type letter struct {
	to    string
	round int // in lock-step
	payload
}

// process is one of a protocol. In each lock-step round it sends what has its tag, and
// receives that.
type process[State any] struct {
	rounds *Rounds[State]
	state  State
	began  bool
	open   []letter
}

// named is a process whose state can be copied and named.
type named[State any] struct{ process[State] }

// New makes a process: it is what system.System wants for its New.
func (r *Rounds[State]) New(name string, _ *rand.Rand) system.Process {
	p := process[State]{rounds: r}
	if r.protocol.Init != nil {
		p.state = r.protocol.Init(name)
	}
	if r.plain {
		return &named[State]{p}
	}
	return &p
}

// Send starts the process in the first round, and sends what has the tag of the round.
func (p *process[State]) Send(s *system.Step) {
	if !p.began {
		p.began = true
		if start := &p.rounds.protocol.Start; start.Do != nil {
			p.do(s, 1, start, start.Do, nil)
		}
	}
	rest := p.open[:0:0]
	for _, l := range p.open {
		switch {
		case l.round == s.Round():
			s.Send(l.to, l.payload)
		case l.round > s.Round(): // what is older the process was not there to send
			rest = append(rest, l)
		}
	}
	p.open = rest
}

// Receive applies the first rule that has enough messages of the tag of the round.
func (p *process[State]) Receive(s *system.Step, inbox []system.Message) {
	round, kind := p.rounds.tagOf(s.Round())
	got := received(inbox, round, kind)
	for _, r := range p.rounds.rules[p.rounds.place[kind]] {
		if len(got) >= r.least(len(s.Processes())) {
			p.do(s, round, r, r.Do, got)
			return
		}
	}
	for _, r := range p.rounds.rules[p.rounds.place[kind]] {
		if r.Timeout != nil {
			p.do(s, round, r, r.Timeout, got)
			return
		}
	}
}

// received returns the messages of a tag, the first from each process.
func received(inbox []system.Message, round int, kind string) (got []Message) {
	for _, m := range inbox {
		same := func(other Message) bool { return other.From == m.From }
		if p := m.Payload.(payload); p.round == round && p.kind == kind && !slices.ContainsFunc(got, same) {
			got = append(got, Message{m.From, p.value})
		}
	}
	return got
}

// least is how many messages a rule waits for.
func (r *Rule[State]) least(processes int) int {
	if r.Count == nil {
		return 1
	}
	return r.Count(processes)
}

// do carries out a rule upon messages of a round of the protocol.
func (p *process[State]) do(s *system.Step, round int, r *Rule[State], do func(*Event[State], []Message), got []Message) {
	do(&Event[State]{State: &p.state, Round: round, process: p, step: s, rule: r}, got)
}

// Fingerprint names all that the process does from now on depends on.
func (p *named[State]) Fingerprint() string {
	text := fmt.Sprintf("%#v %t", p.state, p.began)
	for _, l := range p.open {
		text += fmt.Sprintf(" %q %q %d %s", l.to, l.kind, l.payload.round, nameOf(l.value))
	}
	return text
}

// kept is a state that was kept. What is open is never changed in place.
type kept[State any] struct {
	state State
	began bool
	open  []letter
}

// Snapshot keeps the state, and Restore puts it back.
func (p *named[State]) Snapshot() any { return kept[State]{p.state, p.began, slices.Clip(p.open)} }
func (p *named[State]) Restore(snapshot any) {
	k := snapshot.(kept[State])
	p.state, p.began, p.open = k.state, k.began, k.open
}
