package network

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// Kinds of frames of HTTP/2 (RFC 9113, section 6).
const (
	frameData         = 0
	frameHeaders      = 1
	framePriority     = 2
	frameReset        = 3
	frameSettings     = 4
	framePush         = 5
	framePing         = 6
	frameGoAway       = 7
	frameWindow       = 8
	frameContinuation = 9
)

// Flags of frames.
const (
	flagAck        = 0x1
	flagEndStream  = 0x1
	flagEndHeaders = 0x4
	flagPadded     = 0x8
	flagPriority   = 0x20
)

// frameHead is the length of the head of a frame.
const frameHead = 9

// longestHeaders limits the bytes of the fields of one message.
const longestHeaders = 1 << 18

// http2 is where an end is that speaks HTTP/2.
type http2 struct {
	greeted bool // the preface has been read
	fields  fieldReader
	block   []byte // incomplete fields
	of      frame  // to which they belong
}

// stream is a request of HTTP/2, and its answer.
type http2Stream struct {
	method, path string
	grpc         bool
}

// frame is the head of a frame.
type frame struct {
	length int
	kind   byte
	flags  byte
	stream uint32
}

// name returns the name of the stream in later descriptions.
func (s *http2Stream) name() string {
	switch {
	case s == nil:
		return "a stream"
	case s.grpc:
		return s.path
	}
	return s.method + " " + s.path
}

func (s *http2Stream) kind() string {
	if s != nil && s.grpc {
		return "grpc"
	}
	return "http"
}

// readHTTP2 reads the next frame.
func (e *end) readHTTP2() bool {
	if e.dialer && !e.http2.greeted {
		if len(e.pending) < len(preface) {
			return false
		}
		e.http2.greeted = true
		e.say(len(preface), item{text: "preface", kind: "http"})
		return true
	}
	if len(e.pending) < frameHead {
		return false
	}
	f := frame{
		length: int(e.pending[0])<<16 | int(e.pending[1])<<8 | int(e.pending[2]),
		kind:   e.pending[3], flags: e.pending[4],
		stream: binary.BigEndian.Uint32(e.pending[5:]) &^ (1 << 31),
	}
	return e.frame(f)
}

// frame parses a complete frame, if its kind is one to describe.
func (e *end) frame(f frame) bool {
	s := e.conversation.streams[f.stream]
	whole := frameHead + f.length
	switch f.kind {
	case frameHeaders, frameContinuation, framePush:
		return e.headers(f)
	case frameReset:
		if f.length != 4 {
			e.lose()
			return false
		}
		if len(e.pending) < whole {
			return false
		}
		code := binary.BigEndian.Uint32(e.pending[frameHead:])
		e.say(whole, item{text: s.name() + " reset: " + errorCode(code), kind: s.kind(), stream: f.stream, weight: status})
		return true
	case frameData:
		e.data(f, s)
		return true
	}
	name, weight := control(f)
	e.say(frameHead, item{text: name, more: "more of " + name, kind: "http", stream: f.stream, weight: weight})
	e.skip = int64(f.length)
	return true
}

// data tells of a frame with a piece of a body.
func (e *end) data(f frame, s *http2Stream) {
	text := fmt.Sprintf("%s: %d bytes", s.name(), f.length)
	if f.length == 0 && f.flags&flagEndStream != 0 {
		text = s.name() + ": end"
	}
	e.say(frameHead, item{text: text, more: "more of " + s.name(), kind: s.kind(), stream: f.stream, weight: dataFrame})
	e.skip = int64(f.length)
	e.ends(f)
}

// control describes a frame about the connection.
func control(f frame) (string, weight) {
	name := map[byte]string{framePriority: "priority", frameSettings: "settings", framePing: "ping", frameGoAway: "goaway", frameWindow: "window"}[f.kind]
	switch {
	case name == "":
		name = "frame " + strconv.Itoa(int(f.kind))
	case f.flags&flagAck != 0 && (f.kind == frameSettings || f.kind == framePing):
		name += " ack"
	case f.kind == frameGoAway:
		return name, status
	}
	return name, housekeeping
}

// headers reads a frame with fields, and describes the fields when all are there.
func (e *end) headers(f frame) bool {
	whole := frameHead + f.length
	h := &e.http2
	if f.length+len(h.block) > longestHeaders || (f.kind == frameContinuation) != (h.of.kind != 0) {
		e.lose()
		return false
	}
	if len(e.pending) < whole {
		return false
	}
	block, ok := f.block(e.pending[frameHead:whole])
	if !ok {
		e.lose()
		return false
	}
	if f.kind != frameContinuation {
		h.of = f
	}
	h.block = append(h.block, block...)
	if f.flags&flagEndHeaders == 0 {
		e.say(whole, item{text: "headers", kind: "http", stream: f.stream, weight: housekeeping})
		return true
	}
	fields, ok := h.fields.read(h.block)
	of := h.of
	h.block, h.of = nil, frame{}
	if !ok {
		e.lose()
		return false
	}
	e.say(whole, e.message(of, fields))
	e.ends(of)
	return true
}

// block returns the fields in a frame.
func (f frame) block(payload []byte) ([]byte, bool) {
	pad := 0
	if f.kind != frameContinuation && f.flags&flagPadded != 0 {
		if len(payload) == 0 {
			return nil, false
		}
		pad, payload = int(payload[0]), payload[1:]
	}
	before := 0
	switch {
	case f.kind == framePush:
		before = 4
	case f.kind == frameHeaders && f.flags&flagPriority != 0:
		before = 5
	}
	if before+pad > len(payload) {
		return nil, false
	}
	return payload[before : len(payload)-pad], true
}

// message describes a request, an answer, or the trailer of one.
func (e *end) message(f frame, fields map[string]string) item {
	c := e.conversation
	s := c.streams[f.stream]
	i := item{stream: f.stream, weight: head}
	switch {
	case f.kind == framePush:
		i.text = "push " + short(fields[":path"])
	case fields[":method"] != "":
		s = &http2Stream{method: short(fields[":method"]), path: short(fields[":path"]),
			grpc: strings.HasPrefix(fields["content-type"], "application/grpc")}
		if len(c.streams) < 1<<12 {
			c.streams[f.stream] = s
		}
		i.text, i.weight = s.name(), status
	case fields["grpc-status"] != "":
		i.text, i.weight = s.name()+" "+grpcStatus(fields["grpc-status"]), status
	case fields[":status"] != "" && s != nil && s.grpc:
		i.text = s.name() + " answers"
	case fields[":status"] != "":
		i.text, i.weight = short(fields[":status"])+" "+s.name(), status
	default:
		i.text, i.weight = s.name()+": trailers", dataFrame
	}
	i.kind, i.more = s.kind(), "more of "+s.name()
	return i
}

// ends forgets a stream that its answer ends.
func (e *end) ends(f frame) {
	if !e.dialer && f.flags&flagEndStream != 0 {
		delete(e.conversation.streams, f.stream)
	}
}

// errorCodes are why a stream is reset (RFC 9113, section 7).
var errorCodes = []string{"no error", "protocol error", "internal error", "flow control error", "settings timeout",
	"stream closed", "frame size error", "refused", "cancel", "compression error", "connect error",
	"enhance your calm", "inadequate security", "http/1.1 required"}

func errorCode(code uint32) string {
	if int64(code) < int64(len(errorCodes)) {
		return errorCodes[code]
	}
	return "error " + strconv.Itoa(int(code))
}

// grpcCodes are the statuses of gRPC.
var grpcCodes = []string{"OK", "Canceled", "Unknown", "InvalidArgument", "DeadlineExceeded", "NotFound", "AlreadyExists",
	"PermissionDenied", "ResourceExhausted", "FailedPrecondition", "Aborted", "OutOfRange", "Unimplemented", "Internal",
	"Unavailable", "DataLoss", "Unauthenticated"}

func grpcStatus(code string) string {
	if n, err := strconv.Atoi(code); err == nil && n >= 0 && n < len(grpcCodes) {
		return grpcCodes[n]
	}
	return "status " + short(code)
}
