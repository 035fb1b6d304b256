package wire

import (
	"io"
	"os"
	"runtime"

	"github.com/lineage-driven/ldfi/internal/hosting"
	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// Serve serves the systems on standard input and output until the input ends. The main
// function of a host need do nothing else. Serve sends everything else that the program
// prints to os.Stdout to standard error, and reserves 32 MB of memory, which is never
// touched, so that Go's garbage collector runs seldom. ServeOn does neither.
func Serve(systems ...*system.System) error {
	out := protocolOutput()
	reserve := make([]byte, reserved)
	defer runtime.KeepAlive(reserve)
	return ServeOn(os.Stdin, out, systems...)
}

// protocolOutput returns standard output, and replaces os.Stdout by standard error for the
// rest of the program, also for code that has taken os.Stdout before, such as the log of a
// library.
func protocolOutput() *os.File {
	out := *os.Stdout
	*os.Stdout = *os.Stderr
	return &out
}

// reserved is the memory that a host reserves. Executions leave almost nothing behind, and
// the collector, which waits until the heap has doubled, would run every few of them and
// take up to a third of the time.
const reserved = 32 << 20

// ServeOn serves the systems on in and out until in ends. It returns an error if a system
// is wrong, or if it cannot read a message from in.
func ServeOn(in io.Reader, out io.Writer, systems ...*system.System) error {
	return hosting.Serve(in, out, messages.Test{}, systems...)
}
