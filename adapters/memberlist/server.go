package memberlist

import (
	"context"
	"fmt"
	"io"
	"log"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/memberlist"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
)

// Leave is what a client asks of a member that is to leave the cluster. The answer is
// "left", or why not. Then the member is shut down, unless it is to stay: the
// library lets a member that has left go on to answer others.
type Leave struct{ Stay bool }

func (l Leave) String() string {
	if l.Stay {
		return "leave and stay"
	}
	return "leave"
}

// server is a member on its machine.
type server struct {
	machine *virtual.Machine
	list    *memberlist.Memberlist
	peers   []peer
	setting setting
	joined  atomic.Bool
	left    atomic.Bool

	once sync.Once
	over chan struct{}
}

// peer is another member, and where it is.
type peer struct{ name, address string }

// start starts a member, which then joins the others.
func (s setting) start(m *virtual.Machine) (virtual.Server, error) {
	transport, err := NewTransport(m)
	if err != nil {
		return nil, err
	}
	config := s.config()
	config.Name, config.Transport, config.Logger = m.Name(), transport, logger(m)
	if s.configure != nil {
		s.configure(config)
	}
	list, err := memberlist.Create(config)
	if err != nil {
		transport.Shutdown()
		return nil, err
	}
	v := &server{machine: m, list: list, setting: s, over: make(chan struct{})}
	if _, err := view(list); err != nil {
		v.Stop()
		return nil, err
	}
	if v.peers, err = peers(m); err != nil {
		v.Stop()
		return nil, err
	}
	go v.join()
	return v, nil
}

// logger returns a logger that costs nothing if nobody reads it.
func logger(m *virtual.Machine) *log.Logger {
	l := m.Logger()
	if !l.Enabled(context.Background(), slog.LevelInfo) {
		return log.New(io.Discard, "", 0)
	}
	return slog.NewLogLogger(l.Handler(), slog.LevelInfo)
}

// peers returns the other members.
func peers(m *virtual.Machine) (all []peer, err error) {
	for _, name := range m.Names() {
		ip, err := m.Lookup(name)
		if err != nil {
			return nil, err
		}
		if name != m.Name() {
			all = append(all, peer{name, fmt.Sprintf("%s:%d", ip, port)})
		}
	}
	return all, nil
}

// join joins one of the others until that succeeds, and later those that were lost; or
// all of them, once.
func (v *server) join() {
	for {
		lost := v.lost()
		v.machine.Random().Shuffle(len(lost), func(i, j int) { lost[i], lost[j] = lost[j], lost[i] })
		if len(lost) > 0 && !v.left.Load() {
			if !v.setting.once {
				lost = lost[:1]
			}
			_, _ = v.list.Join(lost) // it is tried again
		}
		if v.setting.once {
			return
		}
		select {
		case <-time.After(v.setting.rejoin):
		case <-v.over:
			return
		}
	}
}

// lost returns where the members are that this one does not hold for alive.
func (v *server) lost() (addresses []string) {
	live := v.list.Members()
	for _, p := range v.peers {
		if !slices.ContainsFunc(live, func(n *memberlist.Node) bool { return n.Name == p.name }) {
			addresses = append(addresses, p.address)
		}
	}
	return addresses
}

// Request lets the member leave.
func (v *server) Request(r system.Request) {
	leave, ok := r.Payload.(Leave)
	if !ok {
		panic(fmt.Errorf("the payload of a request has to be memberlist.Leave{}, not %T", r.Payload))
	}
	answer := "left"
	if !v.left.Swap(true) {
		if err := v.list.Leave(v.setting.config().TCPTimeout); err != nil {
			answer = err.Error()
		}
		if !leave.Stay {
			v.list.Shutdown()
		}
	}
	v.machine.Reply(r, answer)
}

// Report says what the member knows.
func (v *server) Report(m *virtual.Machine) {
	all, err := view(v.list)
	if err != nil {
		panic(err)
	}
	for _, of := range all {
		m.Fact("member", of.name, of.state)
		if of.name != m.Name() && of.state == "alive" {
			v.joined.Store(true)
		}
	}
	if v.joined.Load() {
		m.Fact("joined")
	}
	if v.left.Load() {
		m.Fact("leaves")
	}
}

// Stop ends the member.
func (v *server) Stop() {
	v.once.Do(func() { close(v.over) })
	v.list.Shutdown()
}
