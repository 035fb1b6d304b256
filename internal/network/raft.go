package network

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// raftForm is how messages of Raft follow each other in a body of HTTP, as the package
// rafthttp of etcd writes them.
type raftForm int

const (
	noRaft     raftForm = iota
	oneMessage          // the whole body
	messages            // each after its length
	appends             // each after a byte that tells what follows
)

// longestRaft limits the bytes of a message that are kept: longer ones, and what follows
// them, are not understood.
const longestRaft = 1 << 21

// raftTypes are the types of messages by their number, as go.etcd.io/raft names them.
var raftTypes = []string{"MsgHup", "MsgBeat", "MsgProp", "MsgApp", "MsgAppResp", "MsgVote", "MsgVoteResp", "MsgSnap",
	"MsgHeartbeat", "MsgHeartbeatResp", "MsgUnreachable", "MsgSnapStatus", "MsgCheckQuorum", "MsgTransferLeader",
	"MsgTimeoutNow", "MsgReadIndex", "MsgReadIndexResp", "MsgPreVote", "MsgPreVoteResp"}

// raftAsked returns the forms of the messages in a request and in its answer.
func raftAsked(method, target string) (request, answer raftForm) {
	switch {
	case method == "POST" && target == "/raft":
		return oneMessage, noRaft
	case method == "GET" && strings.HasPrefix(target, "/raft/stream/message/"):
		return noRaft, messages
	case method == "GET" && strings.HasPrefix(target, "/raft/stream/msgapp/"):
		return noRaft, appends
	}
	return noRaft, noRaft
}

// raftReader reads messages of Raft from a body.
type raftReader struct {
	form    raftForm
	left    int64 // bytes of the body that has one message
	pending []byte

	term, index uint64 // of the last message with entries
}

// carry takes the next n bytes, of a body with messages of Raft.
func (e *end) carry(n int) {
	r := e.http1.raft
	r.pending = append(r.pending, e.pending[:n]...)
	r.left -= int64(n)
	e.consume(n)
	for len(r.pending) > 0 {
		text, weight, size := r.next()
		if size <= 0 {
			if size < 0 || len(r.pending) > longestRaft {
				e.http1.raft = nil
			}
			e.extend(0)
			return
		}
		if r.form == oneMessage && len(e.items) > 0 { // the request says nothing more
			e.items[len(e.items)-1].weight = housekeeping
		}
		r.pending = r.pending[size:]
		to := e.at - int64(len(r.pending))
		e.items = append(e.items, item{from: to - int64(size), known: to, to: to, text: text, more: "more of a message", kind: "raft", weight: weight})
	}
	r.pending = nil
}

// next describes the message at the beginning of what is pending, and returns its length:
// 0 if it is incomplete, less than 0 if it is none.
func (r *raftReader) next() (text string, weight weight, size int) {
	head := 8
	switch {
	case r.form == oneMessage && r.left > 0:
		return "", 0, 0
	case r.form == oneMessage:
		text, weight, ok := r.message(r.pending)
		if !ok {
			return "", 0, -1
		}
		return text, weight, len(r.pending)
	case r.form == appends && r.pending[0] == 0:
		return "link heartbeat", housekeeping, 1
	case r.form == appends && r.pending[0] == 1:
		return r.entries()
	case r.form == appends && r.pending[0] == 2:
		head = 9
	case r.form == appends:
		return "", 0, -1
	}
	if len(r.pending) < head {
		return "", 0, 0
	}
	n := binary.BigEndian.Uint64(r.pending[head-8:])
	switch {
	case n > longestRaft:
		return "", 0, -1
	case len(r.pending) < head+int(n):
		return "", 0, 0
	}
	text, weight, ok := r.message(r.pending[head : head+int(n)])
	if !ok {
		return "", 0, -1
	}
	return text, weight, head + int(n)
}

// entries describes the short form of a message with entries that follow the last ones.
func (r *raftReader) entries() (text string, _ weight, size int) {
	if len(r.pending) < 9 {
		return "", 0, 0
	}
	count, at := binary.BigEndian.Uint64(r.pending[1:]), 9
	if count > longestRaft/8 {
		return "", 0, -1
	}
	for range count {
		if len(r.pending) < at+8 {
			return "", 0, 0
		}
		n := binary.BigEndian.Uint64(r.pending[at:])
		if n > longestRaft {
			return "", 0, -1
		}
		if at += 8 + int(n); len(r.pending) < at {
			return "", 0, 0
		}
	}
	if len(r.pending) < at+8 {
		return "", 0, 0
	}
	text = raftText("MsgApp", r.term, r.index, count)
	r.index += count
	return text, status, at + 8
}

// message describes a message (raftpb.Message).
func (r *raftReader) message(b []byte) (string, weight, bool) {
	var fields [16]uint64
	var entries uint64
	last := uint64(0) // the index of the last entry
	first := true
	for len(b) > 0 {
		number, value, bytes, rest, ok := protoField(b)
		switch {
		case !ok || first && number != 1 || number >= uint64(len(fields)):
			return "", 0, false
		case number == 7:
			if last, ok = entryIndex(bytes); !ok {
				return "", 0, false
			}
			entries++
		case bytes == nil:
			fields[number] = value
		}
		b, first = rest, false
	}
	from, to, term, index, rejects := fields[3], fields[2], fields[4], fields[6], fields[10]
	if first || fields[1] >= uint64(len(raftTypes)) {
		return "", 0, false
	}
	name := raftTypes[fields[1]]
	switch name {
	case "MsgHeartbeat":
		if from == 0 && to == 0 {
			return "link heartbeat", housekeeping, true
		}
		return fmt.Sprintf("%s term %d", name, term), dataFrame, true
	case "MsgHeartbeatResp":
		return fmt.Sprintf("%s term %d", name, term), dataFrame, true
	case "MsgApp":
		r.term, r.index = term, index
		if entries > 0 {
			r.index = last
		}
	case "MsgReadIndex", "MsgReadIndexResp", "MsgTimeoutNow", "MsgTransferLeader", "MsgProp":
		return fmt.Sprintf("%s term %d", name, term), status, true
	}
	text := raftText(name, term, index, entries)
	if rejects != 0 {
		text += " rejects"
	}
	return text, status, true
}

// raftText describes a message about the log: its term, the index that it speaks of, and
// how many entries it has that follow.
func raftText(name string, term, index, entries uint64) string {
	text := fmt.Sprintf("%s term %d index %d", name, term, index)
	if entries > 0 {
		text += fmt.Sprintf(" +%d", entries)
	}
	return text
}

// entryIndex returns the index in an entry (raftpb.Entry).
func entryIndex(b []byte) (index uint64, ok bool) {
	for len(b) > 0 {
		number, value, _, rest, ok := protoField(b)
		if !ok {
			return 0, false
		}
		if number == 3 {
			index = value
		}
		b = rest
	}
	return index, true
}

// protoField reads a field of a message in the form of Protocol Buffers: its value, or its
// bytes, which are not nil then.
func protoField(b []byte) (number, value uint64, bytes, rest []byte, ok bool) {
	key, n := binary.Uvarint(b)
	if n <= 0 || key>>3 == 0 {
		return 0, 0, nil, nil, false
	}
	b = b[n:]
	fixed := 0
	switch key & 7 {
	case 0, 2:
		if value, n = binary.Uvarint(b); n <= 0 {
			return 0, 0, nil, nil, false
		}
		b = b[n:]
		if key&7 == 0 {
			return key >> 3, value, nil, b, true
		}
		if value > uint64(len(b)) {
			return 0, 0, nil, nil, false
		}
		return key >> 3, 0, b[:value:value], b[value:], true
	case 1:
		fixed = 8
	case 5:
		fixed = 4
	}
	if fixed == 0 || len(b) < fixed {
		return 0, 0, nil, nil, false
	}
	return key >> 3, 0, b[:fixed:fixed], b[fixed:], true
}
