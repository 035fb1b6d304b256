package mapreduce

import (
	"fmt"

	"github.com/lineage-driven/ldfi/rounds/system"
)

// process is one process: its state, and what it does in a round with what came in the
// round before.
type process[S any] struct {
	state   S
	inbox   []system.Message
	turn    func(*S, *system.Step, []system.Message)
	restart func(S) S // what is left of the state after a crash; nil: it has none, or never crashes
}

// Send takes the turn of the process.
func (p *process[S]) Send(s *system.Step) {
	inbox := p.inbox
	p.inbox = nil
	p.turn(&p.state, s, inbox)
}

// Receive keeps the messages for the next turn.
func (p *process[S]) Receive(_ *system.Step, inbox []system.Message) {
	p.inbox = append([]system.Message(nil), inbox...)
}

// Restart goes on from what is on the disk.
func (p *process[S]) Restart(*system.Step) {
	if p.restart != nil {
		p.state = p.restart(p.state)
	}
	p.inbox = nil
}

// kept is a state with the messages for the next turn.
type kept[S any] struct {
	state S
	inbox []system.Message
}

// Snapshot and Restore let a search go on from a state.
func (p *process[S]) Snapshot() any { return kept[S]{p.state, p.inbox} }
func (p *process[S]) Restore(snapshot any) {
	k := snapshot.(kept[S])
	p.state, p.inbox = k.state, k.inbox
}

// Fingerprint names the state.
func (p *process[S]) Fingerprint() string { return fmt.Sprintf("%+v %#v", p.state, p.inbox) }

// from returns who sent a message of this kind, in the order of the processes.
func from[T any](inbox []system.Message) (senders []string) {
	for _, m := range inbox {
		if _, ok := m.Payload.(T); ok {
			senders = append(senders, m.From)
		}
	}
	return senders
}

// came tells whether there is a message of this kind.
func came[T any](inbox []system.Message) bool { return len(from[T](inbox)) > 0 }
