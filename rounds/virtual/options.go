package virtual

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/lineage-driven/ldfi/internal/bubble"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual/disk"
)

// Options say how a server is run.
type Options struct {
	// Start starts the server of a machine: before the first round, and after each
	// restart. It may block: until it returns, requests wait.
	Start func(m *Machine) (Server, error)

	// Lazy says that the server is started when something first reaches its machine: a
	// message, or what a client asks. One that nobody uses costs nothing then.
	Lazy bool

	Tick time.Duration // by which the clock of a machine goes on in each round; 0: 10ms

	// Disk says that the server keeps something on the disk of its machine
	// ([Machine.Disk]): then a crash can leave that in several ways, and syncs can fail.
	Disk bool

	// Overlay says that the server needs a program that is built with the overlay of the
	// standard library (ldfi overlay): its code calls net.Listen, net.Dial or the client
	// of net/http by itself, asks for signals, or ends the program. Without the overlay
	// the runtime of Go would end the whole program. With Overlay set the system is
	// refused there instead, in a sentence that says how to run it.
	Overlay bool

	// Drift is by which part of a tick a clock goes on more in a round in which it is
	// fast, and less in one in which it is slow; 0: 1/10.
	Drift float64

	// Memory is how many bytes the program may use before garbage is collected in the
	// middle of an execution, which is then not exactly repeatable; 0: 2 GiB.
	Memory int64

	// Text returns what the bytes of a message say, "" if that is not known. HTTP, gRPC,
	// the protocol of Redis and encoding/gob are known without it; what nobody knows is told by size
	// and hash.
	Text func([]byte) string

	// Fingerprint names the state of a server at the end of a round: everything that
	// its goroutines remember and go on by, and how long their timers still run. Two
	// states have the same name exactly if the server does the same from then on. With
	// it the strategy learn can certify that no schedule within the bounds breaks a
	// promise. It is for servers whose machines exchange datagrams; what is on their way,
	// and on the disk, need not be in it. It must not wait, like Report.
	Fingerprint func(Server) string

	// ResetAfter is how many rounds after the first loss a connection is reset, if
	// all that is sent is lost from then on; 0: never.
	ResetAfter int

	// Log gets the lines that servers write to [Machine.Logger], with the round and the
	// process in front. A search executes many schedules, and all of them write: it is
	// for the execution of one, as by ldfi inject. With nil nobody reads logs.
	Log io.Writer
}

// Server is what runs on a machine. It can be a [Requester] and a [Reporter], too.
type Server interface {
	// Stop ends all goroutines of the server. It is called at the end of an execution
	// and after a crash, when nothing that the server does has an effect any more.
	Stop()
}

// Requester is a server that takes what clients ask.
type Requester interface {
	// Request is called in a goroutine of its own for each request. It may block, and
	// answers by [Machine.Reply], in any round.
	Request(r system.Request)
}

// Reporter is a server that tells what it knows.
type Reporter interface {
	// Report is called at the end of each round, when all goroutines of the machine are
	// at rest, to report facts by [Machine.Fact]. It must not wait for another round.
	Report(m *Machine)
}

// New returns what makes the processes of a system: it is its [system.System.New].
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
		return errors.New(`virtual.Options: the server needs the overlay of the standard library (Overlay), and this program was built without it: run "go test $(ldfi overlay)", or "go build $(ldfi overlay)" for a host`)
	case o.Tick < 0:
		return fmt.Errorf("virtual.Options: Tick is %v, and the clock goes on by it in each round", o.Tick)
	case o.Drift < 0 || o.Drift >= 1:
		return fmt.Errorf("virtual.Options: Drift is %v, and has to be below 1: a slow clock goes on by so much less of a tick", o.Drift)
	case o.Memory < 0 || o.ResetAfter < 0:
		return fmt.Errorf("virtual.Options: Memory is %d and ResetAfter %d, which cannot be below 0", o.Memory, o.ResetAfter)
	}
	return nil
}
