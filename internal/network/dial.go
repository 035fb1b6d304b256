package network

import (
	"context"
	"net"
	"syscall"
)

// Dial connects to an address, from a local one of the type that the network asks for,
// or nil. It asks again in each round until it is answered, or the context ends.
func (h *Host) Dial(ctx context.Context, network, address string, local net.Addr) (net.Conn, error) {
	refused := func(addr net.Addr, err error) error {
		return &net.OpError{Op: "dial", Net: network, Source: local, Addr: addr, Err: err}
	}
	e, err := h.resolve(network, address)
	if err != nil {
		return nil, refused(nil, err)
	}
	if err := ctx.Err(); err != nil {
		return nil, refused(e.addr(network), ended(err))
	}
	if networks[network] == "udp" {
		return h.dialPacket(network, local, e)
	}
	to := &net.TCPAddr{IP: destination(e), Port: e.port}
	c, err := h.connect(ctx, network, local, to)
	if err != nil {
		return nil, refused(to, err)
	}
	return c, nil
}

// connect dials, and waits for the answer.
func (h *Host) connect(ctx context.Context, network string, local net.Addr, to *net.TCPAddr) (*conn, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	far := h.machine(to.IP)
	from, err := h.dialer(local, to)
	switch {
	case err != nil:
		return nil, err
	case h.crashed:
		return nil, failure("connect", syscall.ENETDOWN)
	case far == "":
		return nil, failure("connect", syscall.ENETUNREACH)
	}
	c := h.connection(&link{says: NewConversation(h.Text)}, dialing, far, from, to)
	c.network, c.asking = network, true
	if far == h.Name {
		h.within(c)
	}
	return c, c.answered(ctx)
}

// dialer returns the local address of a connection.
func (h *Host) dialer(local net.Addr, to *net.TCPAddr) (*net.TCPAddr, error) {
	from := &net.TCPAddr{IP: h.source(to.IP)}
	if l, ok := local.(*net.TCPAddr); ok && l != nil {
		if !h.owns(l.IP) {
			return nil, failure("bind", syscall.EADDRNOTAVAIL)
		}
		if l.IP != nil && !l.IP.IsUnspecified() {
			from.IP = l.IP
		}
		from.Port = l.Port
	}
	used := func(port int) bool { return h.listens(from.IP, port) || h.speaks(port, to) }
	switch {
	case from.Port == 0:
		from.Port = h.anyPort(used)
	case used(from.Port):
		return nil, failure("bind", syscall.EADDRINUSE)
	}
	if from.Port == 0 {
		return nil, failure("connect", syscall.EADDRNOTAVAIL)
	}
	return from, nil
}

// speaks tells whether a connection uses a port to speak to an address.
func (h *Host) speaks(port int, to *net.TCPAddr) bool {
	for _, c := range h.conns {
		if c.local.Port == port && c.remote.Port == to.Port && c.remote.IP.Equal(to.IP) {
			return true
		}
	}
	return false
}

// answered waits until a connection is accepted or refused, or the context ends.
func (c *conn) answered(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() {
		c.host.mu.Lock()
		defer c.host.mu.Unlock()
		c.readable.Broadcast()
	})
	defer stop()
	for c.asking && c.err == nil && ctx.Err() == nil {
		c.readable.Wait()
	}
	switch {
	case !c.asking:
		return nil
	case c.err == nil:
		c.fail(ended(ctx.Err()))
	}
	return called("connect", c.err)
}

// within connects to the same machine, without rounds.
func (h *Host) within(c *conn) {
	l := h.listener(c.remote)
	if l == nil || len(l.waiting) >= backlog {
		c.fail(syscall.ECONNREFUSED)
		return
	}
	far := h.connection(c.link, accepting, h.Name, c.remote, c.local)
	delete(h.byLink, c.link)
	c.peer, far.peer = far, c
	c.asking, c.link.open = false, true
	l.add(far)
}
