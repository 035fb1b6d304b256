package network

import (
	"net"
	"slices"
)

// link is shared by the two ends of a connection. Each end writes only how much it has
// taken, when a segment is delivered to it, and reads how much the other has taken when it
// sends. Segments belong to a connection by its link: after a restart the link is unknown.
type link struct {
	taken [2]int64 // bytes of each end that the other has taken: 0 the dialer, 1 the accepting end
	ended [2]bool  // the end of these bytes has been taken as well
	heard [2]int   // segments of each end that arrived while the other one knew the connection
	open  bool     // the dialer knows that it was accepted
	held  [2]bool  // nothing more is sent by this end until what is on its way has arrived
	later [2]int   // by how many rounds that comes later, until this end knows
	says  *Conversation
}

// dialing and accepting are the two ends of a link.
const (
	dialing   = 0
	accepting = 1
)

// kind is the purpose of a segment, besides its bytes.
type kind int

const (
	data   kind = iota
	dial        // asks for a connection
	accept      // gives it
	refuse      // does not
	reset       // ends it
)

// segment is the data of one end of a connection in one round. It does not change.
type segment struct {
	link     *link
	kind     kind
	end      int          // which end sends it
	from, to *net.TCPAddr // filled in of a dial
	receiver string       // filled in of answers

	offset int64 // of the first byte
	bytes  []byte
	last   bool  // no bytes follow these
	sent   int64 // of a reset: the bytes before this offset have been sent before
	part   *Part
}

// next returns the offset after the segment.
func (s *segment) next() int64 { return s.offset + int64(len(s.bytes)) }

// isNew tells whether something of the segment has not been taken yet.
func (s *segment) isNew() bool {
	l := s.link
	switch {
	case s.kind == reset || s.kind == refuse:
		return false
	case s.kind == accept && !l.open:
		return true
	}
	return s.next() > l.taken[s.end] || s.last && !l.ended[s.end]
}

// Hold says that the segment comes so many rounds later. Until it says 0, nothing is sent
// behind it: its end of the connection waits for it, and sends nothing again.
func (s *segment) Hold(rounds int) {
	s.link.held[s.end] = rounds > 0
	s.link.later[s.end] += rounds
}

// receive hands a segment to its connection.
func (h *Host) receive(from string, s *segment) {
	c := h.byLink[s.link]
	switch {
	case s.kind == dial:
		h.welcome(from, s, c)
	case c != nil:
		c.receive(s)
	case s.isNew():
		h.answer(from, s, reset)
	}
}

// answer sends a segment that is no part of a connection.
func (h *Host) answer(to string, s *segment, k kind) {
	h.reply(&segment{link: s.link, kind: k, end: 1 - s.end, receiver: to})
}

// Refused returns what a machine answers on which nothing listens: a refusal to one that
// dials.
func (s *segment) Refused() any {
	if s.kind != dial {
		return nil
	}
	return (&segment{link: s.link, kind: refuse, end: 1 - s.end}).farewell()
}

// reply sends a segment in the next round, one of each connection.
func (h *Host) reply(s *segment) {
	if !slices.ContainsFunc(h.answers, func(a *segment) bool { return a.link == s.link }) {
		h.answers = append(h.answers, s)
	}
}

// farewell returns the data of a reset: the bytes that were written just before it, unless
// bytes before these were lost, which are not sent again.
func (s *segment) farewell() *segment {
	f := *s
	taken := s.link.taken[s.end]
	if f.bytes = s.bytes[min(taken-s.offset, int64(len(s.bytes))):]; taken < s.sent {
		f.bytes = nil
	}
	f.offset = taken
	f.say()
	return &f
}

// say parses the bytes.
func (s *segment) say() {
	if len(s.bytes) > 0 {
		s.part = s.link.says.Say(s.end, s.offset, s.bytes)
	}
}
