package virtual

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/lineage-driven/ldfi/internal/bubble"
	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual/disk"
)

// Options describe a server and its machine.
type Options struct {
	// Start starts the server of the machine m: before the first round, and at each
	// restart. It may block; requests wait until it returns.
	Start func(m *Machine) (Server, error)

	// Lazy says that the server is started when the first message or request reaches
	// its machine. A server that is not used then costs nothing.
	Lazy bool

	Tick time.Duration // the time by which the clock of a machine advances in each round; 0: 10ms

	// Disk says that the server uses the disk of its machine ([Machine.Disk]): then a
	// crash can leave the disk in several states, and syncs can fail.
	Disk bool

	// Overlay says that the server needs a program that is built with the overlay of
	// the standard library (ldfi overlay): its code calls net.Listen, net.Dial or the
	// client of net/http by itself, asks for signals, or ends the program. Without the
	// overlay the runtime of Go would end the whole program. With Overlay set, an error
	// says how to run the system instead.
	Overlay bool

	// Drift is the fraction of a tick by which a fast clock advances more in a round,
	// and a slow clock less; 0: 1/10.
	Drift float64

	// Memory is the number of bytes that the program may use before garbage is
	// collected in the middle of an execution, which is then not exactly repeatable; 0:
	// 2 GiB.
	Memory int64

	// Text returns a description of the bytes of a message, "" if it does not know
	// them. HTTP, gRPC, the protocol of Redis and encoding/gob are known without it;
	// unknown messages are described by size and hash.
	Text func([]byte) string

	// Fingerprint names the state of a server at the end of a round: everything that
	// determines what its goroutines do next, and how long their timers still run. Two
	// states must have the same name exactly if the server does the same from then on.
	// With Fingerprint the strategy learn can certify that no schedule within the
	// bounds violates a property. It is for servers whose machines exchange datagrams;
	// datagrams on their way, and the disk, need not be part of the name. Like Report,
	// it must not wait.
	Fingerprint func(Server) string

	// ResetAfter is the number of rounds from the first loss on a connection to its
	// reset, if everything that is sent on it meanwhile is lost; 0: it is never reset.
	ResetAfter int

	// Log gets the lines that servers write to [Machine.Logger], with the round and the
	// process in front; nil: they are discarded. Use it for the execution of one
	// schedule, as by ldfi inject: in a search all executions write to it.
	Log io.Writer
}

// Server is a server that runs on a machine. It can be a Requester and a Reporter, too.
type Server interface {
	// Stop ends all goroutines of the server. It is called at the end of an execution
	// and after a crash, when nothing that the server does has an effect any more.
	Stop()
}

// Requester is a server that takes requests of clients.
type Requester interface {
	// Request is called for each request of a client, in a goroutine of its own. It may
	// block, and answers by [Machine.Reply], in any round.
	Request(r system.Request)
}

// Reporter is a server that reports facts.
type Reporter interface {
	// Report is called at the end of each round, when all goroutines of the machine m
	// are at rest, to report facts by [Machine.Fact]. It must not wait for another
	// round.
	Report(m *Machine)
}

// New returns a value for system.System.New: a function that makes the processes of a
// system.
func New(o Options) func(name string, random *rand.Rand) system.Process {
	if o.Tick == 0 {
		o.Tick = 10 * time.Millisecond
	}
	if o.Drift == 0 {
		o.Drift = 0.1
	}
	if o.Memory == 0 {
		o.Memory = 2 << 30
	}
	return func(name string, random *rand.Rand) system.Process {
		if err := o.check(); err != nil {
			panic(err)
		}
		p := &process{options: o, name: name, random: random, execution: bubble.Enter(o.Memory), disk: disk.New(), belongings: &belongings{}}
		if o.Fingerprint != nil {
			return fingerprinted{p}
		}
		return p
	}
}

// check reports options with which no server can run.
func (o *Options) check() error {
	switch {
	case o.Start == nil:
		return errors.New("virtual.Options: there is no Start, which starts a server")
	case o.Overlay && !bubble.Exact():
		return errors.New("virtual.Options: " + execution.NeedsOverlay + ` (Overlay), and this program was built without it: run "ldfi test" in place of go test, or "go build $(ldfi overlay)" for a host`)
	case o.Tick < 0:
		return fmt.Errorf("virtual.Options: Tick is %v, and the clock goes on by it in each round", o.Tick)
	case o.Drift < 0 || o.Drift >= 1:
		return fmt.Errorf("virtual.Options: Drift is %v, and has to be below 1: a slow clock goes on by so much less of a tick", o.Drift)
	case o.Memory < 0 || o.ResetAfter < 0:
		return fmt.Errorf("virtual.Options: Memory is %d and ResetAfter %d, which cannot be below 0", o.Memory, o.ResetAfter)
	}
	return nil
}
