package bubble

import (
	"context"
	"net"
	_ "unsafe" // for go:linkname
)

// The overlay of the standard library (internal/gobuild) has these variables too, and
// gives them values. Without it they are nil.
var (
	//go:linkname runtimeSeed runtime.ldfiSeed
	runtimeSeed func(seed, order uint64, owner any) // gives the bubble of the caller a seed; an order of 0: none is drawn
	//go:linkname runtimeOwner runtime.ldfiOwner
	runtimeOwner func() any // whose bubble the caller is in; nil outside of bubbles with a seed
	//go:linkname runtimeDisturbed runtime.ldfiDisturbed
	runtimeDisturbed func() uint64 // how often in this program a goroutine of a bubble was interrupted, because it ran for 10 s
)

// Network is what an owner of a bubble can be besides: then package net and all that
// is built on it use it in the bubble. (With the overlay.)
type Network interface {
	Listen(ctx context.Context, network, address string) (net.Listener, error)
	ListenPacket(ctx context.Context, network, address string) (net.PacketConn, error)
	Dial(ctx context.Context, network, address string, local net.Addr) (net.Conn, error)
	LookupHost(ctx context.Context, name string) ([]net.IP, error)
	LookupAddr(ctx context.Context, ip net.IP) ([]string, error)
	Addrs() []net.Addr // its own: *net.IPNet
}

// Panicker is what an owner of a bubble can be besides: it is told of a panic that
// nobody recovers, in the goroutine that panics, with its stack still there. Only this
// goroutine ends when Panicked returns; its deferred functions have run. (With the overlay.)
type Panicker interface{ Panicked(value any) }

// Exiter is what an owner of a bubble can be besides: it is told of os.Exit, in the
// goroutine that calls it. Only this goroutine ends when Exited returns, without its
// deferred functions; to run them, Exited calls runtime.Goexit. (With the overlay.)
type Exiter interface{ Exited(code int) }

// Hostname is what an owner of a bubble can be besides: what os.Hostname returns in
// it. (With the overlay.)
type Hostname interface{ Hostname() string }

// Exact says whether the program was built with the overlay: whether all that is
// random in a bubble follows from its seed.
func Exact() bool { return runtimeSeed != nil }
