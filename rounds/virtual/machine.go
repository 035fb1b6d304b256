package virtual

import (
	"context"
	"io"
	"math/rand/v2"
	"net"
	"sync"

	"github.com/lineage-driven/ldfi/internal/network"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual/disk"
)

// Machine is the machine that a server runs on, from the start of the server to its
// crash. Its methods can be called by any goroutine of the server.
type Machine struct {
	name    string
	names   []string
	random  *rand.Rand
	network *network.Host
	log     io.Writer // nil: nobody reads logs
	disk    *disk.Disk
	hasDisk bool

	belongings *belongings // of the process, across crashes

	mutex sync.Mutex
	round int
	told  []fact             // since they were last taken
	dead  *system.PanicError // how the process has ended itself
	over  bool               // it has crashed, or the execution is over
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

// Random returns a source of random numbers that follow from the seed of the schedule.
func (m *Machine) Random() *rand.Rand { return m.random }

// Round returns the number of the round, from 1.
func (m *Machine) Round() int {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.round
}

// Listen returns a listener for connections, as net.Listen does. The network is tcp,
// and the address is one such as ":7000". What is written to a connection in a round is
// one message of that round; if it is lost, it is sent again.
func (m *Machine) Listen(network, address string) (net.Listener, error) {
	return m.network.Listen(context.Background(), network, address)
}

// Dial connects to an address, as net.Dial does. The network is tcp or udp. The name of
// a machine is the name of its process, as in "b:7000".
func (m *Machine) Dial(network, address string) (net.Conn, error) {
	return m.DialContext(context.Background(), network, address)
}

// DialContext is like Dial, until the context ends.
func (m *Machine) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	return m.network.Dial(ctx, network, address, nil)
}

// ListenPacket returns a socket for datagrams, as net.ListenPacket does. What is
// written to it in a round arrives at the end of that round, or is lost.
func (m *Machine) ListenPacket(network, address string) (net.PacketConn, error) {
	return m.network.ListenPacket(context.Background(), network, address)
}

// Disk returns the disk of the machine. After a restart it has what the crash left.
// What is written after the crash is lost. The server has to set Options.Disk.
func (m *Machine) Disk() *disk.Disk {
	if !m.hasDisk {
		panic("virtual: set Options.Disk, because this server uses the disk of its machine: then crashes can leave the disk in several ways")
	}
	return m.disk
}

// Lookup returns the address of the machine of the process called name.
func (m *Machine) Lookup(name string) (net.IP, error) { return m.network.Lookup(name) }

// Fact reports relation(name, args...) in this round, as [system.Step.Fact] does.
func (m *Machine) Fact(relation string, args ...any) {
	m.tell(fact{relation: relation, args: args})
}

// Reply answers the request r of this round or an earlier one. It is recorded as
// reply(name, id, payload).
func (m *Machine) Reply(r system.Request, payload any) {
	m.tell(fact{reply: &r, args: []any{payload}})
}

func (m *Machine) tell(f fact) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.dead == nil && !m.over {
		m.told = append(m.told, f)
	}
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

// enter begins a round.
func (m *Machine) enter(round int) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.round = round
}
