package notes

import (
	"net"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
)

// System returns two servers, of which a takes the notes and b follows.
func System(name string, careless bool) *system.System {
	return &system.System{
		Name: name, Processes: []string{"a", "b"}, Rounds: 40,
		Faults: rounds.Bounds{Isolations: 1, Period: 20},
		New: virtual.New(virtual.Options{
			Start: func(m *virtual.Machine) (virtual.Server, error) { return start(m, careless) },
			Tick:  5 * time.Millisecond,
			Text:  func(b []byte) string { return strings.TrimSpace(string(b)) },
		}),
		Requests: []system.Request{{Round: 1, Process: "a", Payload: "milk"}, {Round: 10, Process: "a", Payload: "eggs"}},
		Properties: []property.Property{rules.New("acknowledged is everywhere", `
			violation(X, Q) :- request(P, I, X, _), reply(P, I, "ok", N), serves(Q, N), !has(Q, X, N).`)},
	}
}

// process is a server on its machine.
type process struct {
	*Server
	machine  *virtual.Machine
	listener net.Listener
}

func start(m *virtual.Machine, careless bool) (virtual.Server, error) {
	listener, err := m.Listen("tcp", ":7000")
	if err != nil {
		return nil, err
	}
	p := &process{&Server{Log: m.Logger(), Dial: m.DialContext, Careless: careless}, m, listener}
	if m.Name() == "a" {
		p.Followers = []string{"b:7000"}
	}
	go p.Serve(listener)
	return p, nil
}

// Request is called, in a goroutine of its own, for each thing that a client asks.
func (p *process) Request(r system.Request) {
	if err := p.Add(r.Payload.(string)); err != nil {
		p.machine.Reply(r, "failed")
		return
	}
	p.machine.Reply(r, "ok")
}

// Report is called at the end of each round, and says what is true then.
func (p *process) Report(m *virtual.Machine) {
	m.Fact("serves")
	for _, note := range p.Notes() {
		m.Fact("has", note)
	}
}

// Stop ends all goroutines of the server.
func (p *process) Stop() { p.listener.Close() }
