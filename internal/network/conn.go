package network

import (
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

// buffer is the most bytes that wait at each end of a direction: bytes that the sender has
// written and the receiver has not taken, and bytes taken and not read. If both are full a
// Write waits.
const buffer = 1 << 20

// conn is one end of a connection. The lock of the host guards its fields.
type conn struct {
	host          *Host
	link          *link
	end           int // dialing or accepting
	network       string
	far           string // the machine at the other end
	local, remote *net.TCPAddr
	peer          *conn // the other end if it is on the same machine

	asking bool  // it dials, and is not answered yet
	err    error // why it is over: reset, refused, closed
	closed bool  // by its user

	out     []byte // written and not taken
	base    int64  // the number of bytes before these
	sent    int64  // how many bytes were sent once at least
	ended   bool   // nothing comes after them
	flight  bool   // something was sent in the round before
	heard   int    // how many segments had arrived until then
	lost    int    // successive rounds in which its segments were lost
	writing bool   // a Write waits, and other Writes wait for it
	abrupt  bool   // Close resets

	there, back int      // the latency of the link, and that of the other direction
	now         int      // rounds since the connection was made, if the link has a latency
	flights     []flight // what is on its way, if the link has a latency

	in     []byte // taken and not read
	got    int64  // how many bytes have been taken
	eof    bool   // nothing comes after them
	unread bool   // the bytes are no longer read

	id   uint64 // that its user elsewhere has for it; 0: its user is here
	held int    // bytes that this user was given, and has not told that it read them
	owed int    // bytes that were taken, and this user does not know of

	readable, writable *sync.Cond
	reading, sending   deadline
}

// connection makes one end.
func (h *Host) connection(l *link, end int, far string, local, remote *net.TCPAddr) *conn {
	c := &conn{host: h, link: l, end: end, far: far, local: local, remote: remote,
		readable: sync.NewCond(&h.mu), writable: sync.NewCond(&h.mu)}
	if h.Latency != nil {
		c.there, c.back = h.Latency(far)
	}
	h.add(c)
	return c
}

// Read reads bytes that have arrived, or waits for some.
func (c *conn) Read(p []byte) (int, error) {
	c.host.mu.Lock()
	defer c.host.mu.Unlock()
	for {
		switch {
		case c.closed:
			return 0, c.error("read", net.ErrClosed)
		case len(p) == 0:
			return 0, nil
		case c.reading.passed():
			return 0, c.error("read", os.ErrDeadlineExceeded)
		case len(c.in) > 0:
			return c.read(p), nil
		case c.unread || c.eof:
			return 0, io.EOF
		case c.err != nil:
			return 0, c.error("read", c.tell())
		}
		c.readable.Wait()
	}
}

func (c *conn) read(p []byte) int {
	n := copy(p, c.in)
	if c.in = c.in[n:]; len(c.in) == 0 {
		c.in = nil
	}
	if c.peer != nil {
		c.peer.hand()
	}
	return n
}

// Write keeps bytes for the next round. It waits while too many have not been taken.
func (c *conn) Write(p []byte) (n int, err error) {
	c.host.mu.Lock()
	defer c.host.mu.Unlock()
	for c.writing {
		c.writable.Wait()
	}
	c.writing = true
	defer func() { c.writing = false; c.writable.Broadcast() }()
	for {
		if err := c.unwritable(); err != nil && (n == 0 || len(p) > 0) {
			return n, c.error("write", err)
		}
		if len(p) == 0 {
			return n, nil
		}
		k := min(len(p), buffer-len(c.out))
		if k == 0 {
			c.writable.Wait()
			continue
		}
		c.out = append(c.out, p[:k]...)
		p, n = p[k:], n+k
		if c.peer != nil {
			c.hand()
		}
	}
}

// unwritable says why nothing can be written.
func (c *conn) unwritable() error {
	switch {
	case c.closed:
		return net.ErrClosed
	case c.sending.passed():
		return os.ErrDeadlineExceeded
	case c.ended:
		return syscall.EPIPE
	case c.err != nil && c.eof:
		return syscall.EPIPE
	}
	return c.tell()
}

// tell returns why the connection is over, once: after that it counts as closed by the
// other end.
func (c *conn) tell() error {
	if _, ok := c.err.(syscall.Errno); ok {
		c.eof = true
	}
	return c.err
}

// hand moves bytes to the other end on the same machine.
func (c *conn) hand() {
	if c.peer.closed && len(c.out) > 0 {
		c.fail(syscall.ECONNRESET)
		return
	}
	k := c.peer.keep(c.out)
	c.out, c.base = c.out[k:], c.base+int64(k)
	if k > 0 {
		c.writable.Broadcast()
	}
	if len(c.out) == 0 {
		c.out = nil
		if c.ended {
			c.peer.finish()
			c.done()
		}
	}
}

// keep takes bytes that come next, as many as there is room for.
func (c *conn) keep(bytes []byte) int {
	k := min(len(bytes), buffer-len(c.in)-c.held)
	c.got += int64(k)
	switch {
	case k == 0 || c.unread:
	case c.id != 0:
		c.held += k
		c.notify(bytesArrive, bytes[:k])
	default:
		c.in = append(c.in, bytes[:k]...)
		c.readable.Broadcast()
	}
	return k
}

// finish takes the end of the bytes.
func (c *conn) finish() {
	c.eof = true
	c.readable.Broadcast()
	c.notify(endsWriting, nil)
	c.done()
}

// done forgets a connection that both ends have closed.
func (c *conn) done() {
	if c.closed && c.eof && c.ended && len(c.out) == 0 && (c.peer != nil || c.link.ended[c.end]) {
		c.host.forget(c)
	}
}

// fail ends the connection.
func (c *conn) fail(err error) {
	if c.err == nil {
		c.err = err
	}
	c.out, c.flight, c.flights = nil, false, nil
	c.notifyFailure(err)
	c.host.forget(c)
	c.readable.Broadcast()
	c.writable.Broadcast()
}

// abort ends the connection, and tells the other end.
func (c *conn) abort() {
	if c.peer != nil {
		c.peer.fail(syscall.ECONNRESET)
	} else if c.err == nil {
		c.host.reply(&segment{link: c.link, kind: reset, end: c.end, receiver: c.far, offset: c.base, bytes: c.out, sent: c.sent})
	}
	c.fail(syscall.ECONNRESET)
}

// Close ends the connection in both directions. Written bytes are still sent. If bytes have
// not been read the other end is reset, and lost bytes are not sent again.
func (c *conn) Close() error {
	c.host.mu.Lock()
	defer c.host.mu.Unlock()
	if c.closed {
		return c.error("close", net.ErrClosed)
	}
	c.closed = true
	c.reading.stop()
	c.sending.stop()
	c.readable.Broadcast()
	c.writable.Broadcast()
	switch {
	case c.err != nil:
	case len(c.in) > 0 || c.abrupt:
		c.abort()
	default:
		c.stopWriting()
	}
	return nil
}

// stopWriting says that nothing more is written.
func (c *conn) stopWriting() {
	c.ended = true
	if c.peer != nil {
		c.hand()
	}
	c.done()
}

// CloseWrite says that nothing more is written.
func (c *conn) CloseWrite() error {
	c.host.mu.Lock()
	defer c.host.mu.Unlock()
	switch {
	case c.closed:
		return c.error("close", net.ErrClosed)
	case c.err != nil:
		return c.error("close", failure("shutdown", syscall.ENOTCONN))
	}
	c.stopWriting()
	return nil
}

// CloseRead says that nothing more is read.
func (c *conn) CloseRead() error {
	c.host.mu.Lock()
	defer c.host.mu.Unlock()
	if c.closed {
		return c.error("close", net.ErrClosed)
	}
	c.unread = true
	c.readable.Broadcast()
	return nil
}

func (c *conn) error(op string, err error) error {
	return &net.OpError{Op: op, Net: c.network, Source: c.local, Addr: c.remote, Err: called(op, err)}
}

// unset is the error of setting something of a connection that is closed.
func (c *conn) unset() error {
	return &net.OpError{Op: "set", Net: c.network, Addr: c.local, Err: net.ErrClosed}
}

// LocalAddr returns the address of this end.
func (c *conn) LocalAddr() net.Addr { return c.local }

// RemoteAddr returns the address of the other end.
func (c *conn) RemoteAddr() net.Addr { return c.remote }

// SetDeadline sets a moment after which reads and writes fail.
func (c *conn) SetDeadline(t time.Time) error {
	if err := c.SetReadDeadline(t); err != nil {
		return err
	}
	return c.SetWriteDeadline(t)
}

// SetReadDeadline sets a moment after which reads fail.
func (c *conn) SetReadDeadline(t time.Time) error { return c.set(&c.reading, c.readable, t) }

// SetWriteDeadline sets a moment after which writes fail.
func (c *conn) SetWriteDeadline(t time.Time) error { return c.set(&c.sending, c.writable, t) }

func (c *conn) set(d *deadline, waiting *sync.Cond, t time.Time) error {
	c.host.mu.Lock()
	defer c.host.mu.Unlock()
	if c.closed {
		return c.unset()
	}
	d.set(t, waiting)
	return nil
}
