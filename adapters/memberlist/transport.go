package memberlist

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/hashicorp/memberlist"
	"github.com/lineage-driven/ldfi/rounds/virtual"
)

// port is where members listen.
const port = 7946

// Transport is the network of a machine as the library wants it: packets are datagrams,
// and streams are connections.
type Transport struct {
	machine  *virtual.Machine
	socket   net.PacketConn
	listener net.Listener
	packets  chan *memberlist.Packet
	streams  chan net.Conn
	once     sync.Once
	over     chan struct{}
}

var _ memberlist.NodeAwareTransport = (*Transport)(nil)

// NewTransport returns a transport that listens on a machine.
func NewTransport(m *virtual.Machine) (*Transport, error) {
	socket, err := m.ListenPacket("udp", fmt.Sprint(":", port))
	if err != nil {
		return nil, err
	}
	listener, err := m.Listen("tcp", fmt.Sprint(":", port))
	if err != nil {
		socket.Close()
		return nil, err
	}
	t := &Transport{
		machine: m, socket: socket, listener: listener, over: make(chan struct{}),
		packets: make(chan *memberlist.Packet), streams: make(chan net.Conn),
	}
	go t.receive()
	go t.accept()
	return t, nil
}

// receive hands over packets.
func (t *Transport) receive() {
	b := make([]byte, 1<<16)
	for {
		n, from, err := t.socket.ReadFrom(b)
		if err != nil {
			return
		}
		p := &memberlist.Packet{Buf: append([]byte(nil), b[:n]...), From: from, Timestamp: time.Now()}
		select {
		case t.packets <- p:
		case <-t.over:
			return
		}
	}
}

// accept hands over connections.
func (t *Transport) accept() {
	for {
		conn, err := t.listener.Accept()
		if err != nil {
			return
		}
		select {
		case t.streams <- conn:
		case <-t.over:
			conn.Close()
			return
		}
	}
}

// FinalAdvertiseAddr returns the address of the machine.
func (t *Transport) FinalAdvertiseAddr(string, int) (net.IP, int, error) {
	ip, err := t.machine.Lookup(t.machine.Name())
	return ip, port, err
}

// WriteTo sends a packet to an address.
func (t *Transport) WriteTo(b []byte, addr string) (time.Time, error) {
	to, err := net.ResolveUDPAddr("udp", addr)
	if err != nil {
		return time.Time{}, err
	}
	_, err = t.socket.WriteTo(b, to)
	return time.Now(), err
}

// WriteToAddress sends a packet to an address.
func (t *Transport) WriteToAddress(b []byte, to memberlist.Address) (time.Time, error) {
	return t.WriteTo(b, to.Addr)
}

// PacketCh returns the packets that arrive.
func (t *Transport) PacketCh() <-chan *memberlist.Packet { return t.packets }

// DialTimeout connects to an address.
func (t *Transport) DialTimeout(addr string, timeout time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return t.machine.DialContext(ctx, "tcp", addr)
}

// DialAddressTimeout connects to an address.
func (t *Transport) DialAddressTimeout(to memberlist.Address, timeout time.Duration) (net.Conn, error) {
	return t.DialTimeout(to.Addr, timeout)
}

// StreamCh returns the connections that others make.
func (t *Transport) StreamCh() <-chan net.Conn { return t.streams }

// Shutdown ends the transport.
func (t *Transport) Shutdown() error {
	t.once.Do(func() {
		close(t.over)
		t.socket.Close()
		t.listener.Close()
	})
	return nil
}
