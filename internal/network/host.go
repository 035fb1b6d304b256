// Package network simulates the network of the machines on which servers run:
// listeners, connections and sockets with the interfaces of package net, whose bytes
// travel as messages of lock-step rounds.
//
// Each machine has a Host, made inside the bubble of its process. In each round Collect
// returns the messages that are sent, and Deliver takes those that arrived. A
// connection sends one message per direction and round: its new bytes, and those that
// were lost before. Each datagram is a message, and a lost datagram is not sent again.
// Within a machine bytes go directly, without rounds.
//
// There are no messages for acknowledgements. Both ends of a connection share a link,
// in which each end records the bytes that it has received; all machines receive before
// any of them sends again. That has no latency, also where the link has one.
//
// A [Conversation] describes the bytes of a connection: HTTP/1, HTTP/2 and gRPC by
// method, path and status, TLS by its records, the protocol of Redis (RESP) by commands
// and replies, encoding/gob (and so net/rpc) by the names of types and what the values
// are, and everything else by the function Text of its options, or by size and hash. It
// gets the bytes that each end sends, one part for each message, in the order in which
// they are sent. The description of a part follows only from this part and those before
// it. Parts are decoded on demand, because most executions of a search are not
// recorded.
package network

import (
	"net"
	"slices"
	"sync"
)

// Options say where a host stands.
type Options struct {
	Name  string   // of the machine
	Names []string // of all machines; the first has the address 10.0.0.1

	// Text describes the bytes of a message of an unknown protocol; nil: they are not
	// described.
	Text func([]byte) string

	// ResetAfter is the number of successive rounds with lost bytes after which a
	// connection is reset; 0: never.
	ResetAfter int

	// Latency returns by how many rounds what the machine sends another arrives later than
	// otherwise, and what that sends it; nil: nothing does.
	Latency func(far string) (there, back int)

	// Refused is told who dialed an address at which nothing listens; nil: nobody is told. It
	// is called with the lock of the host.
	Refused func(from string, to *net.TCPAddr)

	// Elsewhere is told the events of the sockets, if their user is a program in another
	// process; nil: it is in this one. It is called with the lock of the host.
	Elsewhere func(Event)
}

// Host is the network of one machine. Collect, Deliver and Crash are called from the
// main goroutine of its bubble, everything else from any goroutine in it.
type Host struct {
	Options
	ip net.IP

	mu        sync.Mutex
	cut       bool // nothing leaves it, and nothing arrives
	crashed   bool
	listeners []*listener
	sockets   []*packetConn
	conns     []*conn // in the order in which they were made
	byLink    map[*link]*conn
	answers   []*segment       // to segments without a connection
	datagrams []*datagram      // to be sent in this round
	port      int              // the last port that was assigned to a socket that asked for any port
	byID      map[uint64]*conn // those whose user is elsewhere
	accepted  uint64           // how many of these were dialed by others
}

// New returns the network of a machine that has just started.
func New(o Options) *Host {
	return &Host{Options: o, ip: Address(slices.Index(o.Names, o.Name)), byLink: map[*link]*conn{}, byID: map[uint64]*conn{}, port: lastFixedPort}
}

// Settle lets writers continue whose bytes were taken in the round before. It is called
// before the clock advances; Collect does it otherwise.
func (h *Host) Settle() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.settle()
}

func (h *Host) settle() {
	for _, c := range slices.Clone(h.conns) {
		c.settle()
	}
}

// Collect calls send with the data of this round, and their receivers.
func (h *Host) Collect(send func(to string, payload any)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.cut {
		return
	}
	h.settle()
	var waiting []*segment
	for _, s := range h.answers {
		if s.link.held[s.end] {
			waiting = append(waiting, s)
			continue
		}
		send(s.receiver, s.farewell())
	}
	h.answers = waiting
	for _, c := range slices.Clone(h.conns) {
		if s := c.next(); s != nil {
			send(c.far, s)
		}
	}
	for _, d := range h.datagrams {
		send(d.receiver, d)
	}
	h.datagrams = nil
}

// Deliver takes data that arrived from another machine.
func (h *Host) Deliver(from string, payload any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.cut {
		return
	}
	switch p := payload.(type) {
	case *segment:
		h.receive(from, p)
	case *datagram:
		h.take(p)
	}
}

// Cut cuts the machine off. Its goroutines see no error, as on a machine that stops:
// accepts, reads and dials continue to wait.
func (h *Host) Cut() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cut = true
}

// Crash cuts the machine off, and fails whatever its goroutines do with the network, so
// that they end.
func (h *Host) Crash() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cut, h.crashed = true, true
	for _, l := range slices.Clone(h.listeners) {
		l.close()
	}
	for _, c := range slices.Clone(h.conns) {
		c.fail(net.ErrClosed)
	}
	for _, p := range slices.Clone(h.sockets) {
		p.close()
	}
	h.answers, h.datagrams = nil, nil
}

// forget removes a connection, which nothing arrives for any more.
func (h *Host) forget(c *conn) {
	if i := slices.Index(h.conns, c); i >= 0 {
		h.conns = slices.Delete(h.conns, i, i+1)
	}
	if h.byLink[c.link] == c {
		delete(h.byLink, c.link)
	}
	delete(h.byID, c.id)
}

// add makes a connection known.
func (h *Host) add(c *conn) {
	h.conns = append(h.conns, c)
	h.byLink[c.link] = c
}
