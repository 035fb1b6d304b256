package virtual_test

import (
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/stretchr/testify/require"
)

// twin dials the other until they are connected, and refuses connections while it has one of
// its own: of two connections one is enough.
type twin struct {
	machine  *virtual.Machine
	listener net.Listener
	cancel   context.CancelFunc

	mutex sync.Mutex
	dials bool // or is connected
	taken bool // the connection of the other
}

func startTwin(m *virtual.Machine) (virtual.Server, error) {
	l, err := m.Listen("tcp", ":80")
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	w := &twin{machine: m, listener: l, cancel: cancel}
	go w.serve()
	go w.dial(ctx)
	return w, nil
}

func (w *twin) serve() {
	for {
		c, err := w.listener.Accept()
		if err != nil {
			return
		}
		w.mutex.Lock()
		if w.dials {
			c.Close()
		} else {
			w.taken = true
		}
		w.mutex.Unlock()
	}
}

func (w *twin) dial(ctx context.Context) {
	for w.begin() {
		c, err := w.machine.DialContext(ctx, "tcp", strings.Trim("ab", w.machine.Name())+":80")
		if err == nil {
			stop := context.AfterFunc(ctx, func() { c.Close() })
			_, _ = c.Read(make([]byte, 1)) // until the other closes it
			stop()
		}
		w.mutex.Lock()
		w.dials = false
		w.mutex.Unlock()
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return
		}
	}
}

// begin tells whether it still has to dial.
func (w *twin) begin() bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.dials = !w.taken
	return w.dials
}

func (w *twin) Report(m *virtual.Machine) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.taken {
		m.Fact("taken")
	}
}

func (w *twin) Stop() {
	w.cancel()
	w.listener.Close()
}

// Servers that dial each other in the same round, for ever, come together when they start
// apart: no real network has them as symmetric as lock-step rounds do.
func TestNoFalseSymmetry(t *testing.T) {
	s := &system.System{Name: "twins", Processes: []string{"a", "b"}, Rounds: 200, New: virtual.New(virtual.Options{Start: startTwin})}
	taken := func(text string) string {
		parsed, err := rounds.ParseSchedule(text)
		require.NoError(t, err)
		e, err := s.Run(t.Context(), parsed, system.RunOptions{})
		require.NoError(t, err)
		require.NoError(t, e.Validate())
		return facts(e, "taken")
	}
	require.Empty(t, taken(""))
	require.NotEmpty(t, taken("start b@4"))
	s.Apart = system.Apart{Rounds: 10}
	together := 0
	for seed := range 20 {
		if taken(fmt.Sprintf("seed %d", seed)) != "" {
			together++
		}
	}
	require.Greater(t, together, 6) // in the others what was drawn is as regular as what they do
}
