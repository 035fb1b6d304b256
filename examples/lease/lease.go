// Package lease is a store that one client at a time may write, the one that has a
// lease. The store counts the ticks of its own clock until the lease ends, and the
// client those of its own: so a clock that runs slow breaks it.
package lease

import (
	"fmt"
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
)

// Trusting returns the system whose clients take their clocks to be right. Careful
// clients give up a lease early enough for clocks that are wrong by a factor of two.
// A Fenced store refuses writes of an older lease once it has given a newer one,
// whatever the clocks do.
func Trusting() *system.System { return lease("lease-trusting", term, false) }
func Careful() *system.System  { return lease("lease-careful", term/4, false) }
func Fenced() *system.System   { return lease("lease-fenced", term, true) }

// term is for how many ticks a lease lasts.
const term = 8

func lease(name string, trusted int, fenced bool) *system.System {
	promises := []property.Property{rules.New("no stale write",
		`violation(T, U) :- written(_, T, R), written(_, U, S), U < T, R < S.`)}
	if !fenced {
		promises = append(promises, rules.New("one holder",
			`violation(P, Q, R) :- holds(P, _, R), holds(Q, _, R), P != Q.`))
	}
	return &system.System{
		Name: name, Processes: []string{"store", "a", "b"}, Rounds: 14, MinTicks: 1,
		New: func(name string, _ *rand.Rand) system.Process {
			if name == "store" {
				return &store{fenced: fenced}
			}
			return &client{trusted: trusted}
		},
		Properties: promises,
	}
}

// The messages: a client asks at a time of its own clock, which it is told again with
// the lease that it gets, and writes with the number of that.
type (
	ask   struct{ Now int }
	grant struct{ Token, Asked int }
	write struct{ Token int }
)

// store gives leases, and is written.
type store struct {
	fenced bool
	now    int // in ticks of its clock
	until  int // the lease ends
	token  int // of the lease
	holder string
	asked  int
}

func (p *store) Tick(*system.Step) { p.now++ }

// Send tells who has got the lease.
func (p *store) Send(s *system.Step) {
	if p.asked >= 0 && p.holder != "" {
		s.Send(p.holder, grant{p.token, p.asked})
		p.asked = -1
	}
}

// Receive gives the lease to somebody else, if it has ended, and takes writes.
func (p *store) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		if w, ok := m.Payload.(write); ok && (!p.fenced || w.Token == p.token) {
			s.Fact("written", w.Token)
		}
	}
	for _, m := range inbox {
		if a, ok := m.Payload.(ask); ok && p.now >= p.until && m.From != p.holder {
			p.holder, p.token, p.asked, p.until = m.From, p.token+1, a.Now, p.now+term
		}
	}
}

// client asks for the lease, and writes as long as it has it.
type client struct {
	trusted int // for how many ticks it trusts in a lease, since it asked for it
	now     int // in ticks of its clock
	until   int // its lease ends
	token   int
}

func (p *client) Tick(*system.Step) { p.now++ }

func (p *client) Send(s *system.Step) {
	if p.now < p.until {
		s.Send("store", write{p.token})
		return
	}
	s.Send("store", ask{p.now})
}

func (p *client) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		if g, ok := m.Payload.(grant); ok {
			p.token, p.until = g.Token, g.Asked+p.trusted
		}
	}
	if p.now < p.until {
		s.Fact("holds", p.token)
	}
}

// Fingerprints and snapshots let a search certify the system.

func (p *store) Fingerprint() string   { return fmt.Sprint(*p) }
func (p *store) Snapshot() any         { return *p }
func (p *store) Restore(snapshot any)  { *p = snapshot.(store) }
func (p *client) Fingerprint() string  { return fmt.Sprint(*p) }
func (p *client) Snapshot() any        { return *p }
func (p *client) Restore(snapshot any) { *p = snapshot.(client) }
