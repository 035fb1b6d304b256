package memberlist

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// The types of messages, as the library numbers them.
const (
	compoundType = 7
	crcType      = 12
	labelType    = 244
)

var types = []string{"ping", "indirect ping", "ack", "suspect", "alive", "dead", "push/pull", "compound", "user", "compressed", "encrypted", "nack", "crc", "error"}

// text says what a packet or the beginning of a stream is: messages by their types, and
// whom they are about.
func text(b []byte) string {
	if len(b) > 5 && b[0] == crcType {
		b = b[5:]
	}
	if len(b) > 2 && b[0] == labelType && len(b) > 2+int(b[1]) {
		b = b[2+int(b[1]):]
	}
	if len(b) > 1 && b[0] == compoundType {
		return compound(b[2:], int(b[1]))
	}
	return message(b)
}

// compound says what several messages are, whose lengths stand before them.
func compound(b []byte, count int) string {
	if len(b) < 2*count {
		return ""
	}
	lengths, b := b[:2*count], b[2*count:]
	var all []string
	for i := range count {
		n := int(binary.BigEndian.Uint16(lengths[2*i:]))
		if len(b) < n {
			return ""
		}
		all = append(all, message(b[:n]))
		b = b[n:]
	}
	return strings.Join(all, ", ")
}

// message says what one message is; "" if it is none.
func message(b []byte) string {
	if len(b) == 0 || int(b[0]) >= len(types) {
		return ""
	}
	kind, rest := types[b[0]], b[1:]
	fields, rest, ok := readMap(rest)
	if !ok {
		if kind == "user" || kind == "compressed" || kind == "encrypted" {
			return kind
		}
		return ""
	}
	switch kind {
	case "ack", "nack":
		return fmt.Sprint(kind, " ", fields["SeqNo"])
	case "ping", "indirect ping":
		return fmt.Sprint(kind, " ", fields["Node"], " ", fields["SeqNo"])
	case "suspect", "dead":
		return fmt.Sprint(kind, " ", fields["Node"], "/", fields["Incarnation"], " by ", fields["From"])
	case "alive":
		return fmt.Sprint(kind, " ", fields["Node"], "/", fields["Incarnation"])
	case "push/pull":
		return pushPull(kind, fields, rest)
	case "error":
		return fmt.Sprint(kind, " ", fields["Error"])
	}
	return kind
}

// pushPull says what a member knows of all.
func pushPull(kind string, header map[string]any, rest []byte) string {
	if header["Join"] == true {
		kind += " join"
	}
	count, _ := header["Nodes"].(int64)
	for range count {
		fields, more, ok := readMap(rest)
		if !ok {
			return kind + " …"
		}
		rest = more
		state := "?"
		if s, ok := fields["State"].(int64); ok && s >= 0 && s < int64(len(states)) {
			state = states[s]
		}
		kind += fmt.Sprint(" ", fields["Name"], "/", fields["Incarnation"], " ", state)
	}
	return kind
}
