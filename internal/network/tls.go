package network

import (
	"encoding/binary"
	"fmt"
)

// records are the kinds of records of TLS, by the first byte.
var records = map[byte]string{20: "change cipher spec", 21: "alert", 22: "handshake", 23: "data", 24: "heartbeat"}

// hellos are the messages of a handshake that are not encrypted.
var hellos = map[byte]string{1: "client hello", 2: "server hello"}

// recordHead is the length of the head of a record.
const recordHead = 5

// readTLS reads the head of a record.
func (e *end) readTLS() bool {
	if len(e.pending) < recordHead {
		return false
	}
	kind, known := records[e.pending[0]]
	length := int(binary.BigEndian.Uint16(e.pending[3:]))
	if !known || e.pending[1] != 3 {
		e.lose()
		return false
	}
	if kind == "handshake" {
		if len(e.pending) == recordHead && length > 0 {
			return false
		}
		if length > 0 && hellos[e.pending[recordHead]] != "" {
			kind = hellos[e.pending[recordHead]]
		}
	}
	text := "TLS " + kind
	if kind == "data" {
		text = fmt.Sprintf("TLS data, %d bytes", length)
	}
	e.say(recordHead, item{text: text, more: "more of TLS " + kind, kind: "tls", weight: status})
	e.skip = int64(length)
	return true
}
