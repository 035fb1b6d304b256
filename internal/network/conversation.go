package network

import "sync"

// Conversation has the data of both ends of a connection.
type Conversation struct {
	text func([]byte) string

	mutex  sync.Mutex
	unread []*Part // in the order in which they were sent
	waits  int     // their bytes
	ends   [2]end

	asked   []asked // requests of HTTP/1 that have not been answered
	tunnel  bool    // HTTP/1 has ended: the rest is not understood
	streams map[uint32]*http2Stream
	account bool // between servers of NATS, for one account, which lines leave out
}

// NewConversation returns an empty conversation. Bytes of an unknown protocol are described
// by text, unless text is nil or returns "".
func NewConversation(text func([]byte) string) *Conversation {
	c := &Conversation{text: text, streams: map[uint32]*http2Stream{}}
	for i := range c.ends {
		c.ends[i] = end{conversation: c, dialer: i == 0}
	}
	return c
}

// Part is the data of one end in one message.
type Part struct {
	conversation *Conversation
	end          int
	from, to     int64 // of all that the end says
	bytes        []byte
	read         bool
	kind, text   string
}

// mostUnread limits the bytes that wait to be read.
const mostUnread = 1 << 18

// Say adds data of an end, 0 for the dialer and 1 for the other one: bytes that must not be
// changed, which begin at an offset. Some of them may have been added before.
func (c *Conversation) Say(end int, offset int64, bytes []byte) *Part {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	p := &Part{conversation: c, end: end, from: offset, to: offset + int64(len(bytes)), bytes: bytes}
	c.unread = append(c.unread, p)
	c.waits += len(bytes)
	if c.waits > mostUnread {
		p.understand()
	}
	return p
}

// Kind names the protocol: http, grpc, raft, nats, memberlist, tls, resp, gob or tcp.
func (p *Part) Kind() string {
	p.understood()
	return p.kind
}

// Text describes the bytes.
func (p *Part) Text() string {
	p.understood()
	return p.text
}

func (p *Part) understood() {
	c := p.conversation
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if !p.read {
		p.understand()
	}
}

// understand reads all parts up to this one.
func (p *Part) understand() {
	c := p.conversation
	for i, q := range c.unread {
		e := &c.ends[q.end]
		c.waits -= len(q.bytes)
		e.hear(q)
		q.kind, q.text = e.describe(q)
		q.read, q.bytes = true, nil
		if q == p {
			clear(c.unread[:i+1])
			c.unread = c.unread[i+1:]
			return
		}
	}
}
