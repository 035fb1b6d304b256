package virtual

import (
	"fmt"
	"net"
	"os"
	"slices"
	"sync"
	"time"
)

// network is that of one machine. This first form has datagrams only.
type network struct {
	self    int
	names   []string
	mutex   sync.Mutex
	sockets map[int]*socket
	sent    []sending
	cut     bool
}

// sending is what a machine sends another in a round.
type sending struct {
	to      string
	payload any
}

// datagram is the payload of a message.
type datagram struct {
	port, from int
	data       string
}

func (d datagram) String() string { return d.data }

func newNetwork(self int, names []string) *network {
	return &network{self: self, names: names, sockets: map[int]*socket{}}
}

func (n *network) address(machine, port int) *net.UDPAddr {
	return &net.UDPAddr{IP: net.IPv4(10, 0, 0, byte(machine+1)), Port: port}
}

// ListenPacket opens a socket at an address such as ":7".
func (n *network) ListenPacket(network, address string) (net.PacketConn, error) {
	_, text, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	port := 0
	if _, err := fmt.Sscan(text, &port); err != nil {
		return nil, err
	}
	s := &socket{network: n, port: port, inbox: make(chan arrived, 1<<16), closed: make(chan struct{})}
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.sockets[port] = s
	return s, nil
}

// Collect hands over what was sent since it was last called.
func (n *network) Collect(send func(to string, payload any)) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	for _, m := range n.sent {
		send(m.to, m.payload)
	}
	n.sent = nil
}

// Deliver lets something arrive.
func (n *network) Deliver(from string, payload any) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	d := payload.(datagram)
	if s := n.sockets[d.port]; s != nil {
		s.inbox <- arrived{n.address(slices.Index(n.names, from), d.from), []byte(d.data)}
	}
}

// Crash cuts the machine off.
func (n *network) Crash() {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.cut = true
	for _, s := range n.sockets {
		s.Close()
	}
}

type arrived struct {
	from *net.UDPAddr
	data []byte
}

// socket is a net.PacketConn.
type socket struct {
	network *network
	port    int
	inbox   chan arrived
	once    sync.Once
	closed  chan struct{}
}

func (s *socket) ReadFrom(b []byte) (int, net.Addr, error) {
	select {
	case a := <-s.inbox:
		return copy(b, a.data), a.from, nil
	case <-s.closed:
		return 0, nil, net.ErrClosed
	}
}

func (s *socket) WriteTo(b []byte, to net.Addr) (int, error) {
	host, text, err := net.SplitHostPort(to.String())
	if err != nil {
		return 0, err
	}
	port := 0
	if _, err := fmt.Sscan(text, &port); err != nil {
		return 0, err
	}
	at := slices.IndexFunc(s.network.names, func(name string) bool {
		return name == host || s.network.address(slices.Index(s.network.names, name), 0).IP.String() == host
	})
	if at < 0 {
		return 0, fmt.Errorf("%q is no machine", host)
	}
	s.network.mutex.Lock()
	defer s.network.mutex.Unlock()
	if !s.network.cut {
		s.network.sent = append(s.network.sent, sending{s.network.names[at], datagram{port, s.port, string(b)}})
	}
	return len(b), nil
}

func (s *socket) Close() error {
	s.once.Do(func() { close(s.closed) })
	return nil
}

func (s *socket) LocalAddr() net.Addr            { return s.network.address(s.network.self, s.port) }
func (*socket) SetDeadline(time.Time) error      { return os.ErrNoDeadline }
func (*socket) SetReadDeadline(time.Time) error  { return os.ErrNoDeadline }
func (*socket) SetWriteDeadline(time.Time) error { return os.ErrNoDeadline }
