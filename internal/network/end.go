package network

// end is one end of a conversation, as far as it was received.
type end struct {
	conversation *Conversation
	dialer       bool

	protocol protocol
	pending  []byte // heard and not yet understood
	at       int64  // offset of the first of these bytes
	items    []item // the understood items, as long as they may be described again
	skip     int64  // bytes of the last item that follow
	http1    http1
	http2    http2
	gobs     gobs
}

// item is something that an end says: a request, a frame, a record.
type item struct {
	from, known, to int64 // where it begins, where it was understood, where it ends
	text            string
	more            string // description of its later bytes
	kind            string
	stream          uint32 // of HTTP/2
	weight          weight
	body            *body
}

// weight decides which items of a stream are left out if there are others.
type weight int

const (
	housekeeping weight = iota // left out beside anything else
	dataFrame                  // left out beside the head of its stream
	head
	status // left out beside nothing
)

// protocol is the protocol of an end.
type protocol int

const (
	undecided protocol = iota
	unknown
	speaksHTTP1
	speaksHTTP2
	speaksTLS
	speaksRESP
	speaksGob
	speaksNATS
	speaksGossip
)

// hear takes the bytes of a part that are new.
func (e *end) hear(p *Part) {
	heard := e.at + int64(len(e.pending))
	if p.to <= heard {
		return
	}
	if heard < p.from { // bytes are missing
		e.lose()
		e.pending, e.at, e.skip, heard = nil, p.from, 0, p.from
	}
	e.pending = append(e.pending, p.bytes[heard-p.from:]...)
	for e.step() {
	}
	if e.protocol == unknown {
		e.consume(len(e.pending))
	}
	if len(e.pending) == 0 {
		e.pending = nil
	}
}

// step parses some pending bytes, and tells whether it did.
func (e *end) step() bool {
	if n := min(e.skip, int64(len(e.pending))); n > 0 {
		e.skipped(int(n))
		return true
	}
	if len(e.pending) == 0 {
		return false
	}
	if e.protocol == undecided {
		e.protocol = e.recognize()
		return e.protocol != undecided
	}
	switch e.protocol {
	case speaksHTTP1:
		return e.readHTTP1()
	case speaksHTTP2:
		return e.readHTTP2()
	case speaksTLS:
		return e.readTLS()
	case speaksRESP:
		return e.readRESP()
	case speaksGob:
		return e.readGob()
	case speaksNATS:
		return e.readNATS()
	case speaksGossip:
		return e.readGossip()
	}
	return false
}

// consume takes bytes that are pending.
func (e *end) consume(n int) {
	e.pending, e.at = e.pending[n:], e.at+int64(n)
}

// skipped takes bytes that belong to the last item.
func (e *end) skipped(n int) {
	e.skip -= int64(n)
	if e.http1.raft != nil {
		e.carry(n)
		return
	}
	if len(e.items) > 0 {
		last := &e.items[len(e.items)-1]
		last.body.add(e.pending[:n])
		last.to = e.at + int64(n)
	}
	e.consume(n)
}

// say adds an item that ends, so far, with the next n bytes, and takes these bytes.
func (e *end) say(n int, i item) {
	i.from = e.at
	e.consume(n)
	i.known, i.to = e.at, e.at
	e.items = append(e.items, i)
}

// extend takes the next n bytes as bytes of the last item.
func (e *end) extend(n int) {
	e.consume(n)
	if len(e.items) > 0 {
		e.items[len(e.items)-1].to = e.at
	}
}

// lose stops parsing the rest of this end.
func (e *end) lose() { e.protocol = unknown }
