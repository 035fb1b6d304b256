package virtual_test

import (
	"context"
	"net"
	"sync"
	"testing"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/stretchr/testify/require"
)

// stubborn is a server that accepts and dials until it is told to stop, whatever error it
// gets: as many are.
type stubborn struct {
	machine  *virtual.Machine
	listener net.Listener
	context  context.Context
	cancel   func()
	running  sync.WaitGroup
}

func startStubborn(m *virtual.Machine) (virtual.Server, error) {
	l, err := m.Listen("tcp", ":80")
	s := &stubborn{machine: m, listener: l}
	s.context, s.cancel = context.WithCancel(context.Background())
	s.running.Go(s.accept)
	if m.Name() == "a" {
		s.running.Go(s.dial)
	}
	return s, err
}

func (s *stubborn) accept() {
	for {
		c, err := s.listener.Accept()
		if err == nil {
			c.Close()
			continue
		}
		select {
		case <-s.context.Done():
			return
		default:
			s.machine.Logger().Error("cannot accept", "error", err)
		}
	}
}

func (s *stubborn) dial() {
	for s.context.Err() == nil {
		if c, err := s.machine.DialContext(s.context, "tcp", "b:80"); err == nil {
			c.Close()
		}
	}
}

func (s *stubborn) Request(system.Request)    { panic("oh") }
func (s *stubborn) Report(m *virtual.Machine) { m.Fact("alive") }

func (s *stubborn) Stop() {
	s.cancel()
	s.listener.Close()
	s.running.Wait()
}

// Who tries again at once comes to rest after a crash, and when another goroutine ended
// the process.
func TestAcceptLoops(t *testing.T) {
	for name, story := range map[string]struct {
		requests []system.Request
		schedule string
		alive    string
	}{
		"crash": {nil, "crash a@3; crash b@4", `("a")@1 ("a")@2`},
		"panic": {[]system.Request{{Round: 3, Process: "a", Payload: "x"}}, "", `("a")@1 ("a")@2`},
	} {
		t.Run(name, func(t *testing.T) {
			schedule, err := rounds.ParseSchedule(story.schedule)
			require.NoError(t, err)
			target, err := search.NewTarget(&system.System{
				Name: "stubborn", Processes: []string{"a", "b"}, Rounds: 6, Requests: story.requests, New: virtual.New(virtual.Options{Start: startStubborn}),
			}, nil)
			require.NoError(t, err)
			executor, err := target.Open(0, true)
			require.NoError(t, err)
			e, violations, err := executor.Execute(t.Context(), schedule)
			require.NoError(t, err)
			require.Equal(t, story.alive, alive(e, "a"))
			require.Len(t, violations, len(story.requests))
		})
	}
}
