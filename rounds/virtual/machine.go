package virtual

import (
	"log/slog"
	"math/rand/v2"
	"net"
	"sync"

	"github.com/lineage-driven/ldfi/rounds/system"
)

// Machine is what a server runs on, from its start to its crash. Its methods can be
// called by any goroutine of the server.
type Machine struct {
	name    string
	names   []string
	random  *rand.Rand
	network *network

	mutex sync.Mutex
	round int
	told  []fact // since they were last taken
}

// fact is something that a server reports.
type fact struct {
	relation string
	args     []any
	reply    *system.Request // it answers this, by its first argument
}

// Name returns the name of the process that the machine runs.
func (m *Machine) Name() string { return m.name }

// Names returns the names of all processes of the system, which are the names of their
// machines in the network. The caller must not change them.
func (m *Machine) Names() []string { return m.names }

// Random returns random numbers that follow from the seed of the schedule.
func (m *Machine) Random() *rand.Rand { return m.random }

// Round returns the number of the round, from 1.
func (m *Machine) Round() int {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.round
}

// Logger returns a logger whose lines nobody reads.
func (m *Machine) Logger() *slog.Logger { return slog.New(slog.DiscardHandler) }

// ListenPacket returns a socket for datagrams, as net.ListenPacket does. What is
// written to it in a round arrives at the end of that round, or is lost.
func (m *Machine) ListenPacket(network, address string) (net.PacketConn, error) {
	return m.network.ListenPacket(network, address)
}

// Fact reports relation(name, args...) in this round, as [system.Step.Fact] does.
func (m *Machine) Fact(relation string, args ...any) {
	m.tell(fact{relation: relation, args: args})
}

// Reply answers a request of this round or one before. It is recorded as
// reply(name, id, payload).
func (m *Machine) Reply(r system.Request, payload any) {
	m.tell(fact{reply: &r, args: []any{payload}})
}

func (m *Machine) tell(f fact) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.told = append(m.told, f)
}

// report reports what the server has told since the last time.
func (m *Machine) report(s *system.Step) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	for _, f := range m.told {
		if f.reply != nil {
			s.Reply(*f.reply, f.args[0])
			continue
		}
		s.Fact(f.relation, f.args...)
	}
	clear(m.told)
	m.told = m.told[:0]
}
