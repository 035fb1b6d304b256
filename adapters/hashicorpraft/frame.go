package hashicorpraft

import (
	"encoding/binary"
	"fmt"
	"reflect"
)

// frame is a datagram: a request, or the answer to one.
type frame struct {
	rpc    int // in rpcs
	answer bool
	id     uint64 // of the call, given by who makes it
	value  any    // pointer to the request or the response; nil in an answer that is an error
	err    string // of an answer
	data   []byte // of a snapshot
}

func (f frame) bytes() []byte {
	kind := byte(f.rpc << 1)
	if f.answer {
		kind |= 1
	}
	b := binary.AppendUvarint(append(make([]byte, 0, 96), kind), f.id)
	switch {
	case !f.answer:
		b = encode(encode(b, f.data), f.value)
	case f.value == nil:
		b = encode(b, f.err)
	default:
		b = encode(encode(b, ""), f.value)
	}
	return b
}

func parseFrame(b []byte) (f frame, err error) {
	if len(b) == 0 || int(b[0]>>1) >= len(rpcs) || rpcs[b[0]>>1].request == nil {
		return f, fmt.Errorf("a datagram that is no call of this version of the library")
	}
	f.rpc, f.answer = int(b[0]>>1), b[0]&1 == 1
	if f.id, b, err = readUvarint(b[1:]); err != nil {
		return f, err
	}
	first, b, err := readBytes(b)
	if err != nil {
		return f, err
	}
	of := rpcs[f.rpc].request
	if f.answer {
		if f.err = string(first); f.err != "" {
			return f, nil
		}
		of = rpcs[f.rpc].response
	} else {
		f.data = first
	}
	value := reflect.New(of)
	f.value = value.Interface()
	return f, decode(b, f.value)
}
