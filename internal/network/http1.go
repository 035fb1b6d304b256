package network

import (
	"bytes"
	"strconv"
	"strings"
)

// http1 is where an end is that speaks HTTP/1.
type http1 struct {
	inside  place
	length  int64 // of the body
	chunked bool
	none    bool // a response without a body
	code    int  // of a response
	method  string
	form    raftForm    // of the body
	raft    *raftReader // of the body, while it is read; nil: it has something else
}

// asked is a request, as far as its answer depends on it.
type asked struct {
	method string
	form   raftForm
}

// place is a place in a message of HTTP/1.
type place int

const (
	startLine place = iota
	header
	chunkSize
	chunkEnd
	trailer
)

// longestLine is how long a line may be.
const longestLine = 1 << 16

// untilTheEnd is the length of a body that the end of the connection ends.
const untilTheEnd = 1 << 62

// readHTTP1 reads the next line.
func (e *end) readHTTP1() bool {
	n := bytes.IndexByte(e.pending, '\n')
	if n < 0 {
		if len(e.pending) > longestLine {
			e.lose()
		}
		return false
	}
	line := strings.TrimSuffix(string(e.pending[:n]), "\r")
	h := &e.http1
	switch h.inside {
	case startLine:
		return e.start(line, n+1)
	case header:
		e.extend(n + 1)
		if line == "" {
			e.begin()
		} else {
			h.field(line)
		}
	case chunkSize:
		if h.raft != nil {
			e.consume(n + 1)
		} else {
			e.extend(n + 1)
		}
		size, err := strconv.ParseUint(strings.TrimSpace(strings.Split(line, ";")[0]), 16, 40)
		if err != nil {
			e.lose()
			return false
		}
		e.skip, h.inside = int64(size), chunkEnd
		if size == 0 {
			h.inside = trailer
		}
	case chunkEnd:
		e.extend(n + 1)
		h.inside = chunkSize
	case trailer:
		e.extend(n + 1)
		if line == "" {
			h.inside = startLine
		}
	}
	return true
}

// start reads the first line of a message.
func (e *end) start(line string, n int) bool {
	if line == "" { // between messages
		e.extend(n)
		return true
	}
	text, ok := e.request(line), e.dialer
	if !e.dialer {
		text, ok = e.response(line)
	}
	if !ok || text == "" {
		e.lose()
		return false
	}
	e.http1.inside = header
	e.say(n, item{text: text, more: "more of " + text, kind: "http", weight: status, body: &body{}})
	return true
}

// request returns the text of a request: its method and target.
func (e *end) request(line string) string {
	words := strings.Fields(line)
	if !e.dialer || len(words) != 3 || !strings.HasPrefix(words[2], "HTTP/1.") {
		return ""
	}
	c := e.conversation
	form, answer := raftAsked(words[0], words[1])
	if len(c.asked) < 1<<10 {
		c.asked = append(c.asked, asked{words[0], answer})
	}
	e.http1 = http1{method: words[0], form: form}
	return short(words[0] + " " + words[1])
}

// response returns the text of a response: its status.
func (e *end) response(line string) (string, bool) {
	version, text, _ := strings.Cut(line, " ")
	number, _, _ := strings.Cut(text, " ")
	code, err := strconv.Atoi(number)
	if !strings.HasPrefix(version, "HTTP/1.") || err != nil {
		return "", false
	}
	c, to := e.conversation, asked{}
	if code >= 200 && len(c.asked) > 0 {
		to, c.asked = c.asked[0], c.asked[1:]
	}
	e.http1 = http1{code: code, method: to.method, length: untilTheEnd,
		none: code < 200 || code == 204 || code == 304 || to.method == "HEAD"}
	if code == 200 {
		e.http1.form = to.form
	}
	return short(strings.TrimSpace(text)), true
}

// field reads a field of a header, if it determines the length of the body.
func (h *http1) field(line string) {
	name, value, _ := strings.Cut(line, ":")
	value = strings.TrimSpace(value)
	switch strings.ToLower(name) {
	case "content-length":
		if n, err := strconv.ParseUint(value, 10, 60); err == nil {
			h.length = int64(n)
		}
	case "transfer-encoding":
		h.chunked = strings.HasSuffix(strings.ToLower(value), "chunked")
	}
}

// begin begins the body.
func (e *end) begin() {
	h := &e.http1
	h.inside = startLine
	switch {
	case h.code == 101 || h.method == "CONNECT" && h.code >= 200 && h.code < 300:
		e.conversation.leave()
	case h.none:
		return
	case h.chunked:
		h.inside = chunkSize
	default:
		e.skip = h.length
	}
	if h.form != noRaft && e.protocol == speaksHTTP1 {
		if h.raft = (&raftReader{form: h.form, left: h.length}); h.chunked {
			h.raft.left = untilTheEnd
		}
	}
}

// leave stops to understand either end: from here on they speak something else.
func (c *Conversation) leave() {
	c.tunnel = true
	for i := range c.ends {
		c.ends[i].lose()
	}
}
