package hashicorpraft

import (
	"context"
	"net"
	"time"

	"github.com/hashicorp/raft"

	"github.com/lineage-driven/ldfi/rounds/virtual"
)

// stream is what the library's NetworkTransport listens and dials on.
type stream struct {
	net.Listener
	machine *virtual.Machine
}

// Dial connects to a server.
func (s stream) Dial(address raft.ServerAddress, timeout time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return s.machine.DialContext(ctx, "tcp", string(address))
}

// Addr returns the address of the server by name.
func (s stream) Addr() net.Addr { return named(addressOf(s.machine.Name())) }

// named is an address by name.
type named string

func (named) Network() string  { return "tcp" }
func (n named) String() string { return string(n) }
