package network

import "syscall"

// settle drops the sent bytes that the other end has taken.
func (c *conn) settle() {
	if c.peer != nil {
		return
	}
	taken := c.link.taken[c.end]
	if k := taken - c.base; k > 0 {
		c.out, c.base = c.out[k:], taken
		c.writable.Broadcast()
		c.notifyRoom(int(k))
	}
	if len(c.out) == 0 {
		c.out = nil
	}
	c.count()
	c.done()
}

// count counts the rounds in which all that was sent was lost.
func (c *conn) count() {
	waits := c.asking || c.accepts() || len(c.out) > 0 || c.ended && !c.link.ended[c.end]
	arrived := c.link.heard[c.end] > c.heard
	switch {
	case !c.flight:
		return
	case c.link.held[c.end]: // it is late, and not lost
		c.flight = false
		return
	case !waits || arrived && !c.asking:
		c.lost = 0
	case !arrived:
		c.lost++
	}
	c.flight = false
	if limit := c.host.ResetAfter; limit > 0 && c.lost >= limit {
		c.fail(syscall.ETIMEDOUT)
	}
}

// next returns the segment of the connection in this round; nil if there is none.
func (c *conn) next() *segment {
	if c.peer != nil {
		return nil
	}
	if c.slow() {
		return c.nextSlow()
	}
	if c.link.held[c.end] {
		return nil
	}
	s := &segment{link: c.link, kind: c.says(), end: c.end, from: c.local, to: c.remote, offset: c.base}
	if c.link.later[c.end] > 0 { // what was held arrives in this round
		c.link.later[c.end] = 0
		c.flight, c.heard = true, c.link.heard[c.end]
		if s.offset = c.sent; s.kind == dial || len(c.out) == int(c.sent-c.base) && !c.ended {
			return nil
		}
		s.kind = data
	}
	if s.kind != dial {
		s.bytes, s.last = c.out[s.offset-c.base:len(c.out):len(c.out)], c.ended
	}
	if s.kind == data && !s.isNew() {
		return nil
	}
	heard := c.link.heard[c.end]
	underWay := s.kind == dial && heard > c.heard
	c.flight, c.heard = true, heard
	if underWay { // the answer
		return nil
	}
	c.sent = max(c.sent, s.next())
	s.say()
	return s
}

// accepts tells whether the other end may not know yet that it is accepted.
func (c *conn) accepts() bool { return c.end == accepting && !c.link.open }

// says returns the kind of the segment to send, besides bytes.
func (c *conn) says() kind {
	switch {
	case c.asking:
		return dial
	case c.accepts():
		return accept
	}
	return data
}

// receive takes a segment that arrived.
func (c *conn) receive(s *segment) {
	c.link.heard[s.end]++
	switch s.kind {
	case data:
		if c.asking { // the accept before it was lost
			return
		}
	case refuse:
		if c.asking { // otherwise it comes late, and was accepted since
			c.fail(syscall.ECONNREFUSED)
		}
		return
	case reset:
		c.welcomed() // it was accepted before
		if known := c.got - s.offset; !c.closed && 0 <= known && known < int64(len(s.bytes)) {
			c.keep(s.bytes[known:])
		}
		c.fail(syscall.ECONNRESET)
		return
	case accept:
		c.link.open = true
		if c.asking {
			c.flight, c.lost = false, 0
			c.welcomed()
		}
	}
	c.take(s)
}

// welcomed notes that a dialer was accepted.
func (c *conn) welcomed() {
	if c.asking {
		c.asking = false
		c.readable.Broadcast()
		c.notify(accepts, nil)
	}
}

// take takes the bytes of a segment that are new. Those that arrive for a connection
// that is closed reset it.
func (c *conn) take(s *segment) {
	if s.offset > c.got || !s.isNew() {
		return
	}
	skip := c.got - s.offset
	fresh := s.bytes[min(skip, int64(len(s.bytes))):]
	if len(fresh) > 0 && c.closed {
		c.abort()
		return
	}
	c.keep(fresh)
	c.link.taken[s.end] = c.got
	if s.last && c.got == s.next() {
		c.link.ended[s.end] = true
		c.finish()
	}
}
