package network

import (
	"fmt"
	"strings"
)

// String describes the kind and the bytes of a segment.
func (s *segment) String() string {
	var says []string
	switch s.kind {
	case dial:
		return fmt.Sprintf("dial :%d", s.to.Port)
	case refuse:
		return "refuse"
	case accept:
		says = append(says, "accept")
	}
	if s.part != nil {
		says = append(says, s.part.Text())
	}
	switch {
	case s.kind == reset:
		says = append(says, "reset")
	case s.last:
		says = append(says, "close")
	}
	return strings.Join(says, ", ")
}

// Kind names the protocol, tcp if that is unknown.
func (s *segment) Kind() string {
	if s.part != nil {
		return s.part.Kind()
	}
	return "tcp"
}

// String describes a datagram.
func (d *datagram) String() string {
	if d.text != nil {
		if text := d.text(d.bytes); text != "" {
			return text
		}
	}
	if text := datagramGossip(d.bytes); text != "" {
		return text
	}
	return Digest(d.bytes)
}

// Kind names the protocol, udp if that is unknown.
func (d *datagram) Kind() string {
	if d.text != nil && d.text(d.bytes) != "" || datagramGossip(d.bytes) == "" {
		return "udp"
	}
	return "memberlist"
}
