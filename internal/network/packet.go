package network

import (
	"context"
	"net"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"
)

const (
	largestDatagram = 65507   // bytes
	socketBuffer    = 1 << 20 // bytes of datagrams that wait to be read; later ones are lost
)

// datagram is one packet of a socket.
type datagram struct {
	from, to *net.UDPAddr
	receiver string
	bytes    []byte
	text     func([]byte) string
}

// packetConn is a net.PacketConn of a host. With a remote address it is a net.Conn as
// well.
type packetConn struct {
	host     *Host
	network  string
	local    *net.UDPAddr
	remote   *net.UDPAddr // nil: anybody
	readable *sync.Cond
	arrived  []*datagram
	waiting  int // bytes of these
	closed   bool

	reading, sending deadline
}

// ListenPacket opens a socket for datagrams.
func (h *Host) ListenPacket(_ context.Context, network, address string) (net.PacketConn, error) {
	p, err := h.listenPacket(network, address)
	if err != nil {
		return nil, err
	}
	return p, nil
}

func (h *Host) listenPacket(network, address string) (*packetConn, error) {
	e, err := h.toListen(network, "udp", address)
	if err != nil {
		return nil, err
	}
	addr := &net.UDPAddr{IP: listening(network, e), Port: e.port}
	h.mu.Lock()
	defer h.mu.Unlock()
	p, err := h.socket(network, addr, nil)
	if err != nil {
		return nil, unheard(network, addr, err)
	}
	return p, nil
}

// dialPacket opens a socket for one remote address only.
func (h *Host) dialPacket(network string, local net.Addr, e endpoint) (net.Conn, error) {
	to := &net.UDPAddr{IP: destination(e), Port: e.port}
	from := &net.UDPAddr{IP: h.source(to.IP)}
	if l, ok := local.(*net.UDPAddr); ok && l != nil {
		from.Port = l.Port
		if l.IP != nil && !l.IP.IsUnspecified() {
			from.IP = l.IP
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	err := error(nil)
	if h.machine(to.IP) == "" {
		err = failure("connect", syscall.ENETUNREACH)
	}
	var p *packetConn
	if err == nil {
		p, err = h.socket(network, from, to)
	}
	if err != nil {
		return nil, &net.OpError{Op: "dial", Net: network, Source: local, Addr: to, Err: err}
	}
	return p, nil
}

// socket opens a socket on an address.
func (h *Host) socket(network string, local, remote *net.UDPAddr) (*packetConn, error) {
	used := func(ip net.IP, port int) bool {
		return slices.ContainsFunc(h.sockets, func(p *packetConn) bool { return p.local.Port == port && overlap(p.local.IP, ip) })
	}
	if err := h.bind(&local.Port, local.IP, used); err != nil {
		return nil, err
	}
	p := &packetConn{host: h, network: network, local: local, remote: remote, readable: sync.NewCond(&h.mu)}
	h.sockets = append(h.sockets, p)
	return p, nil
}

// take passes a datagram to its socket.
func (h *Host) take(d *datagram) {
	if h.Elsewhere != nil {
		h.Elsewhere(Event{Kind: isDatagram, Bytes: append(endsOf(d.from.IP, d.from.Port, d.to.IP, d.to.Port), d.bytes...)})
		return
	}
	for _, p := range h.sockets {
		if p.local.Port == d.to.Port && listensTo(p.local.IP, d.to.IP) && p.hears(d.from) {
			p.keep(d)
			return
		}
	}
}

// hears tells whether datagrams from an address are for this socket.
func (p *packetConn) hears(from *net.UDPAddr) bool {
	return p.remote == nil || p.remote.Port == from.Port && p.remote.IP.Equal(from.IP)
}

func (p *packetConn) keep(d *datagram) {
	if p.waiting+len(d.bytes) > socketBuffer {
		return
	}
	p.waiting += len(d.bytes)
	p.arrived = append(p.arrived, d)
	p.readable.Broadcast()
}

// ReadFrom reads a datagram; bytes that do not fit are lost.
func (p *packetConn) ReadFrom(b []byte) (int, net.Addr, error) {
	p.host.mu.Lock()
	defer p.host.mu.Unlock()
	for {
		switch {
		case p.closed:
			return 0, nil, p.error("read", nil, net.ErrClosed)
		case p.reading.passed():
			return 0, nil, p.error("read", nil, os.ErrDeadlineExceeded)
		case len(p.arrived) > 0:
			d := p.arrived[0]
			p.arrived, p.waiting = p.arrived[1:], p.waiting-len(d.bytes)
			return copy(b, d.bytes), d.from, nil
		}
		p.readable.Wait()
	}
}

// Read reads a datagram.
func (p *packetConn) Read(b []byte) (int, error) {
	n, _, err := p.ReadFrom(b)
	return n, err
}

// WriteTo sends a datagram in this round.
func (p *packetConn) WriteTo(b []byte, to net.Addr) (int, error) {
	if p.remote != nil {
		return 0, p.error("write", to, net.ErrWriteToConnected)
	}
	addr, ok := to.(*net.UDPAddr)
	if !ok || addr == nil {
		return 0, p.error("write", to, syscall.EINVAL)
	}
	return p.send(b, addr)
}

// Write sends a datagram to the address that was dialed.
func (p *packetConn) Write(b []byte) (int, error) {
	if p.remote == nil {
		return 0, p.error("write", nil, failure("write", syscall.EDESTADDRREQ))
	}
	return p.send(b, p.remote)
}

func (p *packetConn) send(b []byte, to *net.UDPAddr) (int, error) {
	h := p.host
	h.mu.Lock()
	defer h.mu.Unlock()
	call := "sendto"
	if p.remote != nil {
		call = "write"
	}
	far := h.machine(to.IP)
	switch {
	case p.closed:
		return 0, p.error("write", to, net.ErrClosed)
	case p.sending.passed():
		return 0, p.error("write", to, os.ErrDeadlineExceeded)
	case len(b) > largestDatagram:
		return 0, p.error("write", to, failure(call, syscall.EMSGSIZE))
	case far == "":
		return 0, p.error("write", to, failure(call, syscall.ENETUNREACH))
	}
	d := &datagram{from: p.from(to.IP), to: to, receiver: far, bytes: slices.Clone(b), text: h.Text}
	if far == h.Name {
		d.to = &net.UDPAddr{IP: destination(endpoint{ip: to.IP}), Port: to.Port}
		h.take(d)
	} else {
		h.datagrams = append(h.datagrams, d)
	}
	return len(b), nil
}

// from returns the address that a receiver sees.
func (p *packetConn) from(to net.IP) *net.UDPAddr {
	ip := p.local.IP
	if ip.IsUnspecified() {
		ip = p.host.source(destination(endpoint{ip: to}))
	}
	return &net.UDPAddr{IP: ip, Port: p.local.Port}
}

func (p *packetConn) error(op string, to net.Addr, err error) error {
	e := &net.OpError{Op: op, Net: p.network, Source: p.local, Addr: to, Err: err}
	if to == nil && p.remote != nil {
		e.Addr = p.remote
	}
	return e
}

// unset is the error of setting something of a socket that is closed.
func (p *packetConn) unset() error {
	return &net.OpError{Op: "set", Net: p.network, Addr: p.local, Err: net.ErrClosed}
}

// Close closes the socket.
func (p *packetConn) Close() error {
	p.host.mu.Lock()
	defer p.host.mu.Unlock()
	if p.closed {
		return p.error("close", nil, net.ErrClosed)
	}
	p.close()
	return nil
}

func (p *packetConn) close() {
	p.closed, p.arrived = true, nil
	p.reading.stop()
	p.host.sockets = slices.DeleteFunc(p.host.sockets, func(other *packetConn) bool { return other == p })
	p.readable.Broadcast()
}

// LocalAddr returns the address of the socket.
func (p *packetConn) LocalAddr() net.Addr { return p.local }

// RemoteAddr returns the address that was dialed; nil if none was.
func (p *packetConn) RemoteAddr() net.Addr {
	if p.remote == nil {
		return nil
	}
	return p.remote
}

// SetDeadline sets a moment after which reads and writes fail.
func (p *packetConn) SetDeadline(t time.Time) error {
	if err := p.SetReadDeadline(t); err != nil {
		return err
	}
	return p.SetWriteDeadline(t)
}

// SetReadDeadline sets a moment after which reads fail.
func (p *packetConn) SetReadDeadline(t time.Time) error { return p.set(&p.reading, t) }

// SetWriteDeadline sets a moment after which writes fail.
func (p *packetConn) SetWriteDeadline(t time.Time) error { return p.set(&p.sending, t) }

func (p *packetConn) set(d *deadline, t time.Time) error {
	p.host.mu.Lock()
	defer p.host.mu.Unlock()
	if p.closed {
		return p.unset()
	}
	d.set(t, p.readable)
	return nil
}
