package network

import "syscall"

// flight is something that was sent over a link with a latency, until it is known whether it
// arrived.
type flight struct {
	kind  kind
	at    int   // the round of the connection in which it was sent
	to    int64 // the offset after its bytes
	last  bool  // with the end
	heard int   // as conn.heard
}

// slow tells whether the link of a connection has a latency.
func (c *conn) slow() bool { return c.there+c.back > 0 }

// nextSlow is next for a link with a latency: what is on its way is not sent again before it
// should have arrived.
func (c *conn) nextSlow() *segment {
	c.now++
	c.comesLater()
	if c.link.held[c.end] {
		return nil
	}
	if c.landed(); c.err != nil {
		return nil
	}
	s := &segment{link: c.link, kind: c.says(), end: c.end, from: c.local, to: c.remote, offset: c.base}
	if n := len(c.flights); n > 0 {
		behind := c.flights[n-1]
		if s.offset = behind.to; s.kind == accept {
			s.kind = data // the accept is on its way
		}
		if s.kind == dial || len(c.out) == int(s.offset-c.base) && (!c.ended || behind.last) {
			return nil
		}
	}
	if s.kind != dial {
		s.bytes, s.last = c.out[s.offset-c.base:len(c.out):len(c.out)], c.ended
	}
	if s.kind == data && !s.isNew() {
		return nil
	}
	c.flights = append(c.flights, flight{s.kind, c.now, s.next(), s.last, c.link.heard[c.end]})
	c.sent = max(c.sent, s.next())
	s.say()
	return s
}

// comesLater takes note that what is on its way comes later.
func (c *conn) comesLater() {
	for i := range c.flights {
		c.flights[i].at += c.link.later[c.end]
	}
	c.link.later[c.end] = 0
}

// landed forgets what has arrived. If something is lost, it and all that was sent behind it
// is sent again.
func (c *conn) landed() {
	for len(c.flights) > 0 {
		f := c.flights[0]
		switch {
		case f.arrived(c):
			c.flights, c.lost = c.flights[1:], 0
			continue
		case c.now < f.due(c):
			return
		}
		c.lost += c.now - f.at
		c.flights = nil
		if limit := c.host.ResetAfter; limit > 0 && c.lost >= limit {
			c.fail(syscall.ETIMEDOUT)
		}
	}
	c.flights = nil
}

// arrived tells whether something is known to have arrived: a dial, by its answer.
func (f flight) arrived(c *conn) bool {
	switch f.kind {
	case dial:
		return !c.asking
	case accept:
		if !c.link.open {
			return false
		}
	}
	return c.link.taken[c.end] >= f.to && (!f.last || c.link.ended[c.end])
}

// due returns the round in which something is lost that has not arrived by then.
func (f flight) due(c *conn) int {
	due := f.at + c.there + 1
	if f.kind == dial && c.link.heard[c.end] > f.heard {
		due += c.back + 1 // for the answer
	}
	return due
}
