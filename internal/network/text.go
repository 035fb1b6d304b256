package network

import (
	"fmt"
	"hash/fnv"
)

// String says what a segment does.
func (s *segment) String() string {
	switch s.kind {
	case dial:
		return fmt.Sprintf("dial :%d", s.to.Port)
	case refuse:
		return "refuse"
	case reset:
		return "reset"
	}
	return digest(s.bytes)
}

// Kind names the kind of the message.
func (s *segment) Kind() string {
	return [...]string{data: "data", dial: "dial", accept: "accept", refuse: "refuse", reset: "reset"}[s.kind]
}

// String says what a datagram is.
func (d *datagram) String() string { return digest(d.bytes) }

// Kind names the kind of the message.
func (d *datagram) Kind() string { return "datagram" }

// digest tells bytes apart that nobody can read.
func digest(bytes []byte) string {
	h := fnv.New32a()
	h.Write(bytes)
	return fmt.Sprintf("%d bytes %08x", len(bytes), h.Sum32())
}
