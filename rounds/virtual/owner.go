package virtual

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"

	"github.com/lineage-driven/ldfi/internal/bubble"
	"github.com/lineage-driven/ldfi/internal/network"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// owner is whose bubble it is, for a standard library with the overlay: its network is
// that of the machine, and who ends the program ends the process.
type owner struct {
	*network.Host
	machine *Machine
}

var (
	_ bubble.Network  = (*owner)(nil)
	_ bubble.Panicker = (*owner)(nil)
	_ bubble.Exiter   = (*owner)(nil)
	_ bubble.Hostname = (*owner)(nil)
)

func (o *owner) Hostname() string { return o.machine.name }

// Panicked is told of a panic that nobody recovers.
func (o *owner) Panicked(value any) {
	o.machine.dies(system.PanicError{Value: value, Stack: bubble.PanicStack()})
}

// Exited is told of os.Exit. The deferred functions of the goroutine run, so that it
// keeps nobody waiting.
func (o *owner) Exited(code int) {
	o.machine.dies(system.PanicError{Exit: true, Text: fmt.Sprintf("os.Exit(%d)", code), Stack: bubble.ExitStack()})
	runtime.Goexit()
}

// dies ends the process: nothing that its goroutines do has an effect any more. They see
// no error of the network before the server is told to stop: who tries again at once
// would never come to rest.
func (m *Machine) dies(e system.PanicError) {
	m.mutex.Lock()
	if m.dead == nil && !m.over {
		m.dead = &e
	}
	m.mutex.Unlock()
	m.network.Cut()
}

// death returns how the process has ended itself, nil if it has not.
func (m *Machine) death() *system.PanicError {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.dead
}

// cut cuts the machine off. How the server ends itself after that does not matter.
func (m *Machine) cut() {
	m.mutex.Lock()
	m.over = true
	m.mutex.Unlock()
	m.network.Cut()
}

// outlived are the goroutines that were told of already.
var outlived sync.Map

// outlive tells of goroutines that go on after their process has ended: once for each
// place, on standard error.
func outlive(process string, left []bubble.Goroutine) {
	for _, g := range left {
		if _, known := outlived.LoadOrStore(g.String(), true); known {
			continue
		}
		fmt.Fprintf(os.Stderr, "ldfi: a goroutine of process %s is left when its server has stopped: %s\n\t%s\n", process, g.State, strings.Join(g.Stack, "\n\t"))
	}
}
