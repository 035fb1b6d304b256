package virtual_test

import (
	"math/rand/v2"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/stretchr/testify/require"
)

// listener says when it was started, by its clock, and how much has arrived.
type listener struct {
	conn net.PacketConn
	got  chan struct{}
}

func startListener(m *virtual.Machine) (virtual.Server, error) {
	conn, err := m.ListenPacket("udp", ":7")
	if err != nil {
		return nil, err
	}
	l := &listener{conn, make(chan struct{}, 100)}
	m.Fact("started", int(time.Since(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)).Milliseconds()))
	go func() {
		for b := make([]byte, 10); ; {
			if _, _, err := conn.ReadFrom(b); err != nil {
				return
			}
			l.got <- struct{}{}
		}
	}()
	return l, nil
}

func (l *listener) Report(m *virtual.Machine) {
	for ; len(l.got) > 0; <-l.got {
		m.Fact("got")
	}
}
func (l *listener) Request(system.Request) { l.got <- struct{}{} }
func (l *listener) Stop()                  { l.conn.Close() }

// sender sends in round 3.
type sender struct{}

func startSender(m *virtual.Machine) (virtual.Server, error) {
	conn, err := m.Dial("udp", "b:7")
	if err != nil {
		return nil, err
	}
	go func() {
		time.Sleep(25 * time.Millisecond)
		conn.Write([]byte("x"))
	}()
	return sender{}, nil
}

func (sender) Stop() {}

// A lazy server is started when something reaches it first, and its clock is that of a
// machine that has been there all the time.
func TestLazy(t *testing.T) {
	eager := virtual.New(virtual.Options{Start: startSender})
	lazy := virtual.New(virtual.Options{Start: startListener, Lazy: true})
	s := &system.System{Name: "lazy", Processes: []string{"a", "b", "c", "d"}, Rounds: 6, New: func(name string, random *rand.Rand) system.Process {
		if name == "a" {
			return eager(name, random)
		}
		return lazy(name, random)
	}, Requests: []system.Request{{Round: 5, Process: "c"}}}
	started := func(e *recording.Execution) string { return strings.ReplaceAll(facts(e, "started"), `"`, "") }
	e := run(t, s, "")
	require.Equal(t, "(b, 30)@3 (c, 40)@5", started(e), "d is never used")
	require.Equal(t, `("b")@3 ("c")@5`, facts(e, "got"))
	require.Equal(t, "(c, 40)@5", started(run(t, s, "omit a>b@3")))
	require.Equal(t, "(b, 30)@3 (b, 40)@5 (c, 40)@5", started(run(t, s, "crash b@4; restart b@5")))
	require.Equal(t, "(c, 40)@5 (b, 50)@6", started(run(t, s, "crash b@2; restart b@6; omit a>b@3")))
}
