package network

import (
	"errors"
	"fmt"
	"strings"
)

// ErrConnected is why a host with connections has no fingerprint: both ends of a
// connection see what the other has taken, which no message tells.
var ErrConnected = errors.New("it has connections, whose ends see whether what they sent arrived, so that its state is not all that there is: only servers whose machines exchange datagrams can be fingerprinted")

// Fingerprint names the state of the network of the machine between two rounds.
func (h *Host) Fingerprint() (string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.conns)+len(h.answers) > 0 {
		return "", ErrConnected
	}
	var out strings.Builder
	fmt.Fprintf(&out, "port %d", h.port)
	for _, l := range h.listeners {
		fmt.Fprintf(&out, " listener %v %d", l.Addr(), l.deadline.at.UnixNano())
	}
	for _, p := range h.sockets {
		fmt.Fprintf(&out, " socket %v %v %d %d", p.local, p.remote, p.reading.at.UnixNano(), p.sending.at.UnixNano())
		write(&out, p.arrived)
	}
	write(&out, h.datagrams)
	return out.String(), nil
}

func write(out *strings.Builder, datagrams []*datagram) {
	for _, d := range datagrams {
		fmt.Fprintf(out, " %v>%v %q", d.from, d.to, d.bytes)
	}
}
