package network

import (
	"bytes"
	"compress/lzw"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Limits of messages of github.com/hashicorp/memberlist: larger ones are not understood.
const (
	longestGossip = 1 << 20 // also after it was expanded
	deepestGossip = 4       // compressed or compound messages in each other
)

// The messages that hold others, or bytes of the user, by their first byte.
const (
	gossipPushPull = 6
	gossipCompound = 7
	gossipUser     = 8
	gossipCompress = 9
	gossipCRC      = 12
	gossipLabel    = 244
)

// gossipType is a message that is a single map.
type gossipType struct {
	name   string
	fields []string // all that it has to have
	says   string   // what is told of it, with names of fields as ${Name}
}

// gossipStates are the states of a member in what all tell of all.
var gossipStates = []string{"alive", "suspect", "dead", "left"}

// gossipMember is one of the members that follow a push-pull.
var gossipMember = gossipType{fields: []string{"Name", "Addr", "State", "Incarnation"}}

// gossipTypes are messages by their first byte.
var gossipTypes = map[byte]gossipType{
	0:              {"ping", []string{"SeqNo", "Node"}, "${Node} ${SeqNo}"},
	1:              {"indirect-ping", []string{"SeqNo", "Target", "Node"}, "${Node} ${SeqNo}"},
	2:              {"ack", []string{"SeqNo", "Payload"}, "${SeqNo}"},
	3:              {"suspect", []string{"Incarnation", "Node", "From"}, "${Node}/${Incarnation} by ${From}"},
	4:              {"alive", []string{"Incarnation", "Node", "Addr"}, "${Node}/${Incarnation}"},
	5:              {"dead", []string{"Incarnation", "Node", "From"}, "${Node}/${Incarnation} by ${From}"},
	gossipPushPull: {"push-pull", []string{"Nodes", "UserStateLen", "Join"}, ""},
	gossipUser:     {"user", []string{"UserMsgLen"}, ""},
	gossipCompress: {"compress", []string{"Algo", "Buf"}, ""},
	11:             {"nack", []string{"SeqNo"}, "${SeqNo}"},
	13:             {"error", []string{"Error"}, "${Error}"},
}

// datagramGossip describes a datagram of memberlist; it is none if there is no text.
func datagramGossip(b []byte) string {
	if texts := gossipPacket(b, 0, false); len(texts) > 0 {
		if n := len(texts) - mostItems; n > 1 {
			texts = append(texts[:mostItems], fmt.Sprintf("and %d more", n))
		}
		return strings.Join(texts, ", ")
	}
	return ""
}

// gossipPacket describes the messages in a datagram, none if it is not understood. One of
// the user, of which only the first byte is known, has to be in another one.
func gossipPacket(b []byte, deep int, inside bool) []string {
	if len(b) < 2 || deep > deepestGossip {
		return nil
	}
	switch b[0] {
	case gossipUser:
		if inside {
			return []string{"user"}
		}
	case gossipCRC:
		if len(b) > 5 && binary.BigEndian.Uint32(b[1:]) == crc32.ChecksumIEEE(b[5:]) {
			return gossipPacket(b[5:], deep+1, true)
		}
	case gossipLabel:
		if n := 2 + int(b[1]); n < len(b) {
			return gossipPacket(b[n:], deep+1, inside)
		}
	case gossipCompound:
		return gossipParts(b, deep)
	case gossipPushPull:
	default:
		r := &packReader{b: b[1:]}
		fields, ok := r.fields(gossipTypes[b[0]])
		if !ok || len(r.b) > 0 {
			return nil
		}
		if b[0] == gossipCompress {
			return gossipPacket(expandGossip(fields), deep+1, true)
		}
		return []string{gossipText(b[0], fields)}
	}
	return nil
}

// gossipParts describes the messages of a compound one.
func gossipParts(b []byte, deep int) (texts []string) {
	n := int(b[1])
	sizes, rest := b[2:], b[min(2+2*n, len(b)):]
	if n == 0 || len(sizes) < 2*n {
		return nil
	}
	for i := range n {
		size := int(binary.BigEndian.Uint16(sizes[2*i:]))
		if size > len(rest) {
			return nil
		}
		inner := gossipPacket(rest[:size], deep+1, true)
		if inner == nil {
			return nil
		}
		texts, rest = append(texts, inner...), rest[size:]
	}
	if len(rest) > 0 {
		return nil
	}
	return texts
}

// gossipText describes a message that is a single map.
func gossipText(kind byte, fields map[string]packValue) string {
	t := gossipTypes[kind]
	return short(strings.TrimSpace(t.name + " " + os.Expand(t.says, func(name string) string { return fields[name].String() })))
}

// expandGossip returns what was compressed; nil if that is not understood.
func expandGossip(fields map[string]packValue) []byte {
	if fields["Algo"].number != 0 {
		return nil
	}
	r := lzw.NewReader(bytes.NewReader(fields["Buf"].bytes), lzw.LSB, 8)
	defer r.Close()
	var out bytes.Buffer
	if n, err := io.Copy(&out, io.LimitReader(r, longestGossip+1)); err != nil || n > longestGossip {
		return nil
	}
	return out.Bytes()
}

// isGossip tells whether an end begins with a message of memberlist on a connection.
func (e *end) isGossip() protocol {
	switch _, n := gossipStream(e.pending, 0); {
	case n > 0:
		return speaksGossip
	case n == 0 && len(e.pending) <= longestGossip:
		return undecided
	}
	return unknown
}

// readGossip reads the next message.
func (e *end) readGossip() bool {
	text, n := gossipStream(e.pending, 0)
	if n < 0 || n == 0 && len(e.pending) > longestGossip {
		e.lose()
	}
	if n <= 0 {
		return false
	}
	e.say(n, item{text: text, kind: "memberlist", weight: status})
	return true
}

// gossipStream describes the message at the beginning of the bytes of a connection, and
// returns its length: 0 if it is incomplete, less than 0 if it is not understood.
func gossipStream(b []byte, deep int) (text string, n int) {
	if deep > deepestGossip {
		return "", -1
	}
	if b[0] == gossipLabel && deep == 0 {
		if len(b) < 2 || len(b) < 3+int(b[1]) {
			return "", 0
		}
		text, n = gossipStream(b[2+int(b[1]):], 1)
		if n > 0 {
			n += 2 + int(b[1])
		}
		return text, n
	}
	t, known := gossipTypes[b[0]]
	if !known {
		return "", -1
	}
	r := &packReader{b: b[1:]}
	fields, ok := r.fields(t)
	text = gossipText(b[0], fields)
	extra := uint64(0)
	switch {
	case !ok:
	case b[0] == gossipUser:
		extra = fields["UserMsgLen"].number
	case b[0] == gossipPushPull:
		nodes := fields["Nodes"].number
		extra = fields["UserStateLen"].number
		if nodes > mostElements {
			return "", -1
		}
		text, ok = r.members(nodes, fields["Join"].number != 0)
	case b[0] == gossipCompress:
		inner := expandGossip(fields)
		if len(inner) == 0 {
			return "", -1
		}
		var size int
		if text, size = gossipStream(inner, deep+1); size != len(inner) {
			return "", -1
		}
	}
	switch {
	case r.wrong || extra > longestGossip:
		return "", -1
	case r.short || !ok || extra > uint64(len(r.b)):
		return "", 0
	}
	return text, len(b) - len(r.b) + int(extra)
}

// members reads the members that follow a push-pull, and describes it.
func (r *packReader) members(nodes uint64, join bool) (text string, ok bool) {
	var says []string
	for range nodes {
		m, ok := r.fields(gossipMember)
		if !ok {
			return "", false
		}
		state := "?"
		if n := m["State"].number; n < uint64(len(gossipStates)) {
			state = gossipStates[n]
		}
		if len(says) < mostItems {
			says = append(says, short(fmt.Sprintf("%v/%v %s", m["Name"], m["Incarnation"], state)))
		}
	}
	text = "push-pull"
	if join {
		text += " join"
	}
	if more := int(nodes) - len(says); more > 0 {
		says = append(says, fmt.Sprintf("and %d more", more))
	}
	return strings.TrimSpace(text + " " + strings.Join(says, ", ")), true
}

// packValue is a value of msgpack: a number or a truth, or text and bytes.
type packValue struct {
	number uint64
	bytes  []byte
}

// String is the text as a word, or the number.
func (v packValue) String() string {
	if v.bytes != nil {
		return word(string(v.bytes))
	}
	return strconv.FormatUint(v.number, 10)
}

// packReader reads values of msgpack, as far as memberlist writes them.
type packReader struct {
	b            []byte
	short, wrong bool
}

// fields reads a map that has the fields of a type.
func (r *packReader) fields(t gossipType) (map[string]packValue, bool) {
	head := r.take(1)
	if r.short || head[0]&0xf0 != 0x80 || len(t.fields) == 0 {
		r.wrong = r.wrong || !r.short
		return nil, false
	}
	fields := map[string]packValue{}
	for n := int(head[0] & 0xf); n > 0; n-- {
		name := r.value(0)
		value := r.value(0)
		if r.short || r.wrong {
			return nil, false
		}
		fields[string(name.bytes)] = value
	}
	lacks := func(name string) bool { _, has := fields[name]; return !has }
	if slices.ContainsFunc(t.fields, lacks) {
		r.wrong = true
		return nil, false
	}
	return fields, true
}

// take returns the next n bytes.
func (r *packReader) take(n uint64) []byte {
	if r.short || r.wrong || n > uint64(len(r.b)) {
		r.short = true
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

// count reads a number of n bytes.
func (r *packReader) count(n int) uint64 {
	var all [8]byte
	copy(all[8-n:], r.take(uint64(n)))
	return binary.BigEndian.Uint64(all[:])
}

// value reads a value. The elements of an array are read, and not kept.
func (r *packReader) value(deep int) packValue {
	head := r.take(1)
	if r.short || deep > deepestValue {
		r.wrong = r.wrong || !r.short
		return packValue{}
	}
	elements := uint64(0)
	switch b := head[0]; {
	case b < 0x80: // a small number
		return packValue{number: uint64(b)}
	case b >= 0xe0: // a negative one
		return packValue{number: uint64(int64(int8(b)))}
	case b >= 0xa0 && b < 0xc0:
		return packValue{bytes: r.take(uint64(b & 0x1f))}
	case b >= 0x90 && b < 0xa0:
		elements = uint64(b & 0xf)
	case b == 0xc0, b == 0xc2:
		return packValue{}
	case b == 0xc3:
		return packValue{number: 1}
	case b >= 0xc4 && b <= 0xc6: // bytes
		return packValue{bytes: r.take(r.count(1 << (b - 0xc4)))}
	case b >= 0xd9 && b <= 0xdb: // text
		return packValue{bytes: r.take(r.count(1 << (b - 0xd9)))}
	case b >= 0xcc && b <= 0xcf, b >= 0xd0 && b <= 0xd3: // numbers
		return packValue{number: r.count(1 << (b & 3))}
	case b == 0xdc:
		elements = r.count(2)
	default:
		r.wrong = true
	}
	for ; elements > 0 && !r.short && !r.wrong; elements-- {
		r.value(deep + 1)
	}
	return packValue{}
}
