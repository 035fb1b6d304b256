package virtual_test

import (
	"math/rand/v2"
	"net"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/stretchr/testify/require"
)

// caller is a server that calls the other one.
type caller struct{ conn net.Conn }

func (c *caller) Stop() {
	if c.conn != nil {
		_ = c.conn.Close()
	}
}

func startCaller(m *virtual.Machine) (virtual.Server, error) {
	if m.Name() == "b" {
		_, err := m.Listen("tcp", ":7000")
		return &caller{}, err
	}
	c := &caller{}
	go func() {
		if conn, err := m.Dial("tcp", "b:7000"); err == nil {
			c.conn = conn
		}
	}()
	return c, nil
}

// A fingerprint that does not tell the whole state is refused, in words.
func TestNoFingerprint(t *testing.T) {
	learn := func(start func(*virtual.Machine) (virtual.Server, error), fingerprint func(virtual.Server) string) error {
		s := &system.System{Name: "callers", Processes: []string{"a", "b"}, Rounds: 3, Single: true}
		s.Properties = replicated(2, wrong{}, asMachine).Properties
		s.New = func(name string, random *rand.Rand) system.Process {
			return plain{virtual.New(virtual.Options{Start: start, Fingerprint: fingerprint})(name, random).(server)}
		}
		_, err := search.Run(t.Context(), s, search.Options{Strategy: "learn", Bounds: rounds.Bounds{Isolations: 1, Period: 1}})
		return err
	}
	silent := func(virtual.Server) string { return "" }
	require.ErrorContains(t, learn(startCaller, silent), "the server has no fingerprint: it has connections, whose ends see whether what they sent arrived")
	slow := func(m *virtual.Machine) (virtual.Server, error) {
		time.Sleep(15 * time.Millisecond)
		return &caller{}, nil
	}
	require.ErrorContains(t, learn(slow, silent), "the server has no fingerprint: its Start has not returned")
	idle := func(*virtual.Machine) (virtual.Server, error) { return &caller{}, nil }
	require.NoError(t, learn(idle, silent))
	require.ErrorContains(t, learn(idle, func(virtual.Server) string { select {} }), "Fingerprint waits for something that does not happen in this round")

	s := Registers()
	s.Properties = replicated(3, wrong{}, asMachine).Properties
	_, err := search.Run(t.Context(), s, search.Options{Strategy: "learn", Bounds: rounds.Bounds{Isolations: 1, Period: 1}})
	require.EqualError(t, err, "strategy learn needs names for the states of servers (virtual.Options.Fingerprint, in one program with datagrams only): use one that only executes them, such as lineage or spread")
}
