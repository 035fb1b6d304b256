package network

import (
	"cmp"
	"context"
	"net"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"
)

// backlog limits the connections that wait for an Accept. A further dialer gets no answer,
// and asks again in the next round.
const backlog = 128

// listener is a net.Listener of a host.
type listener struct {
	host     *Host
	addr     *net.TCPAddr
	network  string
	arrived  *sync.Cond
	waiting  []*conn
	deadline deadline
	closed   bool
}

// Listen announces on an address of the machine: "host:port", both of which may be left
// out.
func (h *Host) Listen(_ context.Context, network, address string) (net.Listener, error) {
	l, err := h.listen(network, address)
	if err != nil {
		return nil, err
	}
	return l, nil
}

// toListen returns the endpoint of a listener or a socket: an address of tcp, or of udp.
func (h *Host) toListen(network, protocol, address string) (endpoint, error) {
	e, err := h.resolve(network, cmp.Or(address, ":0"))
	if err != nil {
		return e, unheard(network, nil, err)
	}
	if err := only(network, protocol, address); err != nil {
		return e, unheard(network, e.addr(network), err)
	}
	return e, nil
}

// unheard returns the error of a failed Listen.
func unheard(network string, addr net.Addr, err error) error {
	return &net.OpError{Op: "listen", Net: network, Addr: addr, Err: err}
}

func (h *Host) listen(network, address string) (*listener, error) {
	e, err := h.toListen(network, "tcp", address)
	if err != nil {
		return nil, err
	}
	addr := &net.TCPAddr{IP: listening(network, e), Port: e.port}
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.bind(&addr.Port, addr.IP, h.listens); err != nil {
		return nil, unheard(network, addr, err)
	}
	l := &listener{host: h, addr: addr, network: network, arrived: sync.NewCond(&h.mu)}
	h.listeners = append(h.listeners, l)
	return l, nil
}

// bind checks that a machine can listen on an address, and chooses a port if none is given.
func (h *Host) bind(port *int, ip net.IP, used func(net.IP, int) bool) error {
	switch {
	case h.crashed:
		return failure("bind", syscall.ENETDOWN)
	case !h.owns(ip):
		return failure("bind", syscall.EADDRNOTAVAIL)
	case *port == 0:
		*port = h.anyPort(func(p int) bool { return used(ip, p) })
	case used(ip, *port):
		return failure("bind", syscall.EADDRINUSE)
	}
	if *port == 0 {
		return failure("bind", syscall.EADDRINUSE)
	}
	return nil
}

// listens tells whether a port is taken on an address.
func (h *Host) listens(ip net.IP, port int) bool {
	return slices.ContainsFunc(h.listeners, func(l *listener) bool { return l.addr.Port == port && overlap(l.addr.IP, ip) })
}

// listener returns the listener for connections to an address; nil if there is none.
func (h *Host) listener(to *net.TCPAddr) *listener {
	for _, l := range h.listeners {
		if l.addr.Port == to.Port && listensTo(l.addr.IP, to.IP) {
			return l
		}
	}
	return nil
}

// welcome accepts or refuses a dialer.
func (h *Host) welcome(from string, s *segment, c *conn) {
	switch l := h.listener(s.to); {
	case s.link.open: // the dialer asked several times
	case c != nil:
		s.link.heard[dialing]++
	case l == nil:
		h.answer(from, s, refuse)
		if h.Refused != nil {
			h.Refused(from, s.to)
		}
	case len(l.waiting) < backlog:
		s.link.heard[dialing]++
		l.add(h.connection(s.link, accepting, from, s.to, s.from))
	}
}

// add passes a connection to the next Accept.
func (l *listener) add(c *conn) {
	c.network = l.network
	l.waiting = append(l.waiting, c)
	l.arrived.Broadcast()
	l.host.notifyDial(c)
}

// Accept waits for a connection.
func (l *listener) Accept() (net.Conn, error) {
	h := l.host
	h.mu.Lock()
	defer h.mu.Unlock()
	for {
		switch {
		case l.closed:
			return nil, l.error("accept", net.ErrClosed)
		case l.deadline.passed():
			return nil, l.error("accept", os.ErrDeadlineExceeded)
		case len(l.waiting) > 0:
			c := l.waiting[0]
			l.waiting = l.waiting[1:]
			return c, nil
		}
		l.arrived.Wait()
	}
}

func (l *listener) error(op string, err error) error {
	return &net.OpError{Op: op, Net: l.network, Addr: l.addr, Err: err}
}

// Close stops listening. Connections that were not accepted are reset.
func (l *listener) Close() error {
	l.host.mu.Lock()
	defer l.host.mu.Unlock()
	if l.closed {
		return l.error("close", net.ErrClosed)
	}
	for _, c := range l.waiting {
		c.abort()
	}
	l.close()
	return nil
}

func (l *listener) close() {
	l.closed, l.waiting = true, nil
	l.deadline.stop()
	l.host.listeners = slices.DeleteFunc(l.host.listeners, func(other *listener) bool { return other == l })
	l.arrived.Broadcast()
}

// SetDeadline sets a moment after which Accept fails.
func (l *listener) SetDeadline(t time.Time) error {
	l.host.mu.Lock()
	defer l.host.mu.Unlock()
	if l.closed {
		return l.error("set", net.ErrClosed)
	}
	l.deadline.set(t, l.arrived)
	return nil
}

// Addr returns the address on which it listens.
func (l *listener) Addr() net.Addr { return l.addr }
