package network

import "sync"

// Conversation is what both ends of a connection say.
type Conversation struct {
	text func([]byte) string

	mutex  sync.Mutex
	unread []*Part // in the order in which they were said
	waits  int     // bytes of these
	ends   [2]end

	methods []string // of HTTP/1 requests that have not been answered
	tunnel  bool     // HTTP/1 has been left: nothing of what follows is known
	streams map[uint32]*http2Stream
}

// New returns a conversation in which nothing has been said. What nothing else knows is
// told by text, unless that is nil or returns nothing.
func NewConversation(text func([]byte) string) *Conversation {
	c := &Conversation{text: text, streams: map[uint32]*http2Stream{}}
	for i := range c.ends {
		c.ends[i] = end{conversation: c, dialer: i == 0}
	}
	return c
}

// Part is what one end says in one message.
type Part struct {
	conversation *Conversation
	end          int
	from, to     int64 // of all that the end says
	bytes        []byte
	read         bool
	kind, text   string
}

// mostUnread is how many bytes wait to be read at most.
const mostUnread = 1 << 18

// Say is told what an end says, 0 for the dialer and 1 for the other one: bytes that
// must not be changed, which begin at an offset. Some of them may have been said before.
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

// Kind names the protocol: http, grpc, tls, resp, gob or tcp.
func (p *Part) Kind() string {
	p.understood()
	return p.kind
}

// Text says what the bytes mean.
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
