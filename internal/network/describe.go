package network

import (
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
)

// The most text about one message.
const (
	mostItems = 8
	mostRunes = 120
)

// describe describes a part that was received.
func (e *end) describe(p *Part) (kind, text string) {
	e.items = slices.DeleteFunc(e.items, func(i item) bool { return i.to <= p.from })
	items := e.within(p)
	if len(items) == 0 {
		if e.protocol == speaksTLS {
			return "tls", Digest(p.bytes)
		}
		return "tcp", e.conversation.digest(p.bytes)
	}
	kind = items[0].kind
	var texts []string
	for _, i := range items {
		if i.kind == "grpc" || i.kind == "raft" {
			kind = i.kind
		}
		if t := i.told(p); len(texts) == 0 || texts[len(texts)-1] != t {
			texts = append(texts, t)
		}
	}
	if rest := p.bytes[e.understood(p)-p.from:]; len(rest) > 0 {
		texts = append(texts, Digest(rest))
	}
	if n := len(texts) - mostItems; n > 1 {
		texts = append(texts[:mostItems], fmt.Sprintf("and %d more", n))
	}
	return kind, strings.Join(texts, ", ")
}

// understood returns the offset in a part after which nothing was understood.
func (e *end) understood(p *Part) int64 {
	to := p.from
	for _, i := range e.items {
		to = max(to, i.to)
	}
	return min(to, p.to)
}

// within returns the items to describe of a part: of each stream of HTTP/2 the ones with
// the most weight.
func (e *end) within(p *Part) (items []item) {
	most, any := map[uint32]weight{}, housekeeping
	for _, i := range e.items {
		if i.in(p) {
			most[i.stream] = max(most[i.stream], i.weight)
			any = max(any, i.weight)
		}
	}
	for _, i := range e.items {
		if i.in(p) && (i.weight >= most[i.stream] || i.weight == status) && (i.weight > housekeeping || any == housekeeping) {
			items = append(items, i)
		}
	}
	return items
}

// in tells whether a part includes an item: the item was understood there, or goes on.
func (i *item) in(p *Part) bool {
	return i.known > p.from && i.known <= p.to || i.known <= p.from && i.to > p.from && i.from < p.to
}

// told describes an item in a part.
func (i *item) told(p *Part) string {
	if i.known <= p.from {
		return fmt.Sprintf("%s, %d bytes", i.more, min(i.to, p.to)-p.from)
	}
	return i.text + i.body.text()
}

// digest describes bytes of an unknown protocol.
func (c *Conversation) digest(bytes []byte) string {
	if c.text != nil {
		if text := c.text(bytes); text != "" {
			return text
		}
	}
	return Digest(bytes)
}

// Digest returns a short text that is different for different bytes.
func Digest(bytes []byte) string {
	h := fnv.New32a()
	h.Write(bytes)
	unit := "bytes"
	if len(bytes) == 1 {
		unit = "byte"
	}
	return fmt.Sprintf("%d %s %08x", len(bytes), unit, h.Sum32())
}

// body is the beginning of the data after a head, if it is readable.
type body struct {
	bytes []byte
	long  bool
}

// mostBody limits the bytes of a body that are shown.
const mostBody = 40

func (b *body) add(bytes []byte) {
	if b == nil || b.long {
		return
	}
	b.bytes = append(b.bytes, bytes[:min(len(bytes), mostBody+1)]...)
	b.long = len(b.bytes) > mostBody
}

// text returns the body, if it is short and plain.
func (b *body) text() string {
	if b == nil || b.long {
		return ""
	}
	text := strings.TrimRight(string(b.bytes), "\r\n")
	if text == "" || !plain(text) {
		return ""
	}
	return ": " + text
}

// plain tells whether a text is visible ASCII.
func plain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

// short cuts a text that others wrote.
func short(text string) string {
	if len(text) > mostRunes {
		text = text[:mostRunes] + "…"
	}
	return text
}

// ErrConnected is why a host with connections has no fingerprint: both ends of a connection
// see how much the other has taken, and no message shows this.
var ErrConnected = errors.New("it has connections, whose ends see whether what they sent arrived, so that its state is not all that there is: only servers whose machines exchange datagrams can be fingerprinted")

// Fingerprint names the state of the network of the machine between two rounds.
func (h *Host) Fingerprint() (string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.conns)+len(h.answers) > 0 {
		return "", ErrConnected
	}
	var out strings.Builder
	fmt.Fprintf(&out, "port %d", h.port)
	for _, l := range h.listeners {
		fmt.Fprintf(&out, " listener %v %d", l.Addr(), l.deadline.at.UnixNano())
	}
	for _, p := range h.sockets {
		fmt.Fprintf(&out, " socket %v %v %d %d", p.local, p.remote, p.reading.at.UnixNano(), p.sending.at.UnixNano())
		write(&out, p.arrived)
	}
	write(&out, h.datagrams)
	return out.String(), nil
}

func write(out *strings.Builder, datagrams []*datagram) {
	for _, d := range datagrams {
		fmt.Fprintf(out, " %v>%v %q", d.from, d.to, d.bytes)
	}
}
