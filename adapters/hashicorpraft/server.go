package hashicorpraft

import (
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/raft"

	"github.com/lineage-driven/ldfi/rounds/virtual"
)

// port is the port of all servers.
const port = 7000

// server is a server of the library on a machine.
type server struct {
	machine   *virtual.Machine
	raft      *raft.Raft
	transport transporter
	fsm       *machine
	stable    *stableStore
	state     state
	reported  reported

	mutex  sync.Mutex
	behind uint64 // the term in which a barrier says that nothing from before is missing
}

// transporter is what both transports are.
type transporter interface {
	raft.Transport
	raft.WithClose
}

// start starts the server of a machine: with what is on its disk, or as a new one.
func start(m *virtual.Machine, o options) (virtual.Server, error) {
	log, err := openLogStore(m.Disk())
	if err != nil {
		return nil, err
	}
	stable, err := openStableStore(m.Disk())
	if err != nil {
		return nil, err
	}
	snapshots := snapshotStore{m.Disk()}
	transport, err := o.transport(m)
	if err != nil {
		return nil, err
	}
	s := &server{machine: m, transport: transport, fsm: &machine{fact: m.Fact}, stable: stable}
	s.reportVote()
	config := o.config(m.Name())
	exists, err := raft.HasExistingState(log, stable, snapshots)
	if err == nil && !exists && contains(o.voters, m.Name()) {
		err = raft.BootstrapCluster(config, log, stable, snapshots, transport, o.members())
	}
	if err != nil {
		return nil, err
	}
	if s.raft, err = raft.NewRaft(config, s.fsm, log, stable, snapshots, transport); err != nil {
		return nil, err
	}
	s.state = stateOf(s.raft)
	return s, nil
}

// Stop ends the server. Calls that it waits for fail, which it would otherwise wait for
// before it closes its transport.
func (s *server) Stop() {
	ends := s.raft.Shutdown()
	_ = s.transport.Close()
	_ = ends.Error()
}

func (o options) config(name string) *raft.Config {
	c := raft.DefaultConfig()
	c.LocalID = raft.ServerID(name)
	c.Logger = hclog.NewNullLogger()
	if o.configure != nil {
		o.configure(c)
	}
	return c
}

// members returns the configuration that the cluster begins with.
func (o options) members() (c raft.Configuration) {
	add := func(servers []string, suffrage raft.ServerSuffrage) {
		for _, name := range servers {
			c.Servers = append(c.Servers, raft.Server{Suffrage: suffrage, ID: raft.ServerID(name), Address: addressOf(name)})
		}
	}
	add(o.voters, raft.Voter)
	add(o.nonvoters, raft.Nonvoter)
	return c
}

// addressOf returns the address of a server by name, which is the same for ever.
func addressOf(name string) raft.ServerAddress {
	return raft.ServerAddress(fmt.Sprintf("%s:%d", name, port))
}

func nameOf(a raft.ServerAddress) string {
	name, _, _ := strings.Cut(string(a), ":")
	return name
}

// transport returns what calls go by.
func (o options) transport(m *virtual.Machine) (transporter, error) {
	here := fmt.Sprintf(":%d", port)
	if o.tcp {
		listener, err := m.Listen("tcp", here)
		if err != nil {
			return nil, err
		}
		return raft.NewNetworkTransport(stream{listener, m}, 3, 10*time.Second, io.Discard), nil
	}
	conn, err := m.ListenPacket("udp", here)
	if err != nil {
		return nil, err
	}
	peers := map[raft.ServerAddress]net.Addr{}
	for i, name := range m.Names() {
		peers[addressOf(name)] = &net.UDPAddr{IP: net.IPv4(10, 0, 0, byte(i+1)), Port: port}
	}
	return newTransport(addressOf(m.Name()), peers, conn), nil
}
