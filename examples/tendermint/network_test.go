package tendermint_test

import (
	"math/rand/v2"
	"slices"

	"github.com/lineage-driven/ldfi/rounds/system"
)

// network says what arrives of a message: its payload, another one, or nil.
type network func(to string, round int, m system.Message) any

// through returns a system whose messages go through a network.
func through(s *system.System, n network) *system.System {
	over := *s
	over.New = func(name string, random *rand.Rand) system.Process { return &peer{s.New(name, random), name, n} }
	return &over
}

type peer struct {
	system.Process
	name    string
	network network
}

func (p *peer) Tick(s *system.Step) { p.Process.(system.Ticker).Tick(s) }

func (p *peer) Receive(s *system.Step, inbox []system.Message) {
	inbox = slices.Clone(inbox)
	for i := range inbox {
		inbox[i].Payload = p.network(p.name, s.Round(), inbox[i])
	}
	p.Process.Receive(s, slices.DeleteFunc(inbox, func(m system.Message) bool { return m.Payload == nil }))
}
