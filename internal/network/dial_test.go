package network

import (
	"context"
	"fmt"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDialFindsMachines(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := machines("a", "b.example", "N3")
		for _, name := range w.names {
			_, err := w.hosts[name].stack().listen("tcp", ":http")
			require.NoError(t, err)
			_, err = w.hosts[name].stack().listen("tcp", "localhost:81")
			require.NoError(t, err)
		}
		for address, want := range map[string]string{
			"b.example:80": "10.0.0.2:80", "B.EXAMPLE.:http": "10.0.0.2:80", "10.0.0.3:80": "10.0.0.3:80", "n3:80": "10.0.0.3:80",
			"[::ffff:10.0.0.3]:80": "10.0.0.3:80", "a:80": "10.0.0.1:80",
			"localhost:80": "127.0.0.1:80", ":80": "127.0.0.1:80", "0.0.0.0:81": "127.0.0.1:81", "127.0.0.1:81": "127.0.0.1:81",
			"[::]:81": "127.0.0.1:81",

			"localhost:82": "connect: connection refused", "a:81": "connect: connection refused", "N3:81": "connect: connection refused",
			"c:80": "dial tcp: lookup c: no such host", "10.0.0.4:80": "connect: network is unreachable",
			"192.0.2.1:80": "connect: network is unreachable", "[fe80::1]:80": "connect: network is unreachable", "10.0.0.0:80": "unreachable",
		} {
			var c net.Conn
			var err error
			w.until(t, func() { c, err = w.hosts["a"].Dial(t.Context(), "tcp", address, nil) })
			if err != nil {
				require.ErrorContains(t, err, want, address)
				require.Nil(t, c)
				continue
			}
			require.Equal(t, want, c.RemoteAddr().String(), address)
			own := "10.0.0.1:"
			if strings.HasPrefix(want, "127") {
				own = "127.0.0.1:"
			}
			require.True(t, strings.HasPrefix(c.LocalAddr().String(), own))
		}
		_, err := w.hosts["a"].Dial(t.Context(), "tcp6", "b.example:80", nil)
		require.ErrorContains(t, err, "no suitable address found")
	})
}

func TestNamesAndAddressesOfAMachine(t *testing.T) {
	h := New(Options{Name: "b", Names: []string{"a", "b"}})
	require.Equal(t, "[127.0.0.1/8 10.0.0.2/8]", fmt.Sprint(h.Addrs()))
	for ip, name := range map[string]string{"10.0.0.1": "a", "10.0.0.2": "b", "127.0.0.1": "localhost"} {
		names, err := h.LookupAddr(t.Context(), net.ParseIP(ip))
		require.NoError(t, err)
		require.Equal(t, []string{name}, names)
	}
	_, err := h.LookupAddr(t.Context(), net.ParseIP("10.0.0.3"))
	require.True(t, isNotFound(err), "%v", err)
	_, err = h.LookupHost(t.Context(), "c")
	require.True(t, isNotFound(err), "%v", err)
}

func isNotFound(err error) bool {
	dns, ok := err.(*net.DNSError)
	return ok && dns.IsNotFound
}

// A machine number 300 has an address, too.
func TestManyMachines(t *testing.T) {
	names := make([]string, 300)
	for i := range names {
		names[i] = fmt.Sprintf("n%d", i+1)
	}
	h := New(Options{Name: "n300", Names: names})
	require.Equal(t, "10.0.1.44", h.ip.String())
	require.Equal(t, "n299", h.machine(net.IPv4(10, 0, 1, 43)))
}

func TestListenWherever(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		h := New(Options{Name: "a", Names: []string{"a", "b"}})
		listen := h.stack().listen
		for _, c := range []struct{ network, address, want string }{
			{"tcp", ":80", "[::]:80"},
			{"tcp", "0.0.0.0:81", "[::]:81"},
			{"tcp4", ":82", "0.0.0.0:82"},
			{"tcp", "", "[::]:49152"},
			{"tcp", "localhost:83", "127.0.0.1:83"},
			{"tcp", "a:83", "10.0.0.1:83"},
			{"tcp", ":83", "address already in use"},
			{"tcp", "a:80", "address already in use"},
			{"tcp", ":0", "[::]:49153"},
			{"tcp", "b:80", "cannot assign requested address"},
			{"tcp", "c:80", "lookup c: no such host"},
			{"tcp", ":nonsense", "lookup tcp/nonsense: unknown port"},
		} {
			l, err := listen(c.network, c.address)
			if err != nil {
				require.ErrorContains(t, err, c.want, c.address)
				continue
			}
			require.Equal(t, c.want, l.Addr().String(), c.address)
		}
	})
}

// Ports that nobody asked for follow from nothing but what was asked before.
func TestPortsFollowEachOther(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := machines("a", "b")
		_, err := w.hosts["b"].stack().listen("tcp", ":80")
		require.NoError(t, err)
		_, err = w.hosts["a"].stack().listen("tcp", ":49153")
		require.NoError(t, err)
		for _, want := range []int{49152, 49154} {
			w.until(t, func() {
				require.Equal(t, want, dialed(t, w.hosts["a"], "b:80").LocalAddr().(*net.TCPAddr).Port)
			})
		}
		var c net.Conn
		w.until(t, func() {
			c, err = w.hosts["a"].Dial(t.Context(), "tcp", "b:80", &net.TCPAddr{Port: 7})
			require.NoError(t, err)
		})
		require.Equal(t, "10.0.0.1:7", c.LocalAddr().String())
		_, err = w.hosts["a"].Dial(t.Context(), "tcp", "b:80", &net.TCPAddr{Port: 7})
		require.ErrorIs(t, err, syscall.EADDRINUSE)
		_, err = w.hosts["a"].Dial(t.Context(), "tcp", "b:80", &net.TCPAddr{IP: net.IPv4(10, 0, 0, 2)})
		require.ErrorIs(t, err, syscall.EADDRNOTAVAIL)
	})
}

// It takes a round to ask and one to answer, and more if these are lost.
func TestRoundsOfADial(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := machines("a", "b")
		_, err := w.hosts["b"].stack().listen("tcp", ":80")
		require.NoError(t, err)
		require.Equal(t, 2, w.until(t, func() { dialed(t, w.hosts["a"], "b:80") }))
		lost := 0
		w.lose = func(string, string, any) bool { lost++; return lost <= 3 } // dial, dial, accept and the next dial arrives
		require.Equal(t, 5, w.until(t, func() { dialed(t, w.hosts["a"], "b:80") }))
		require.Len(t, w.hosts["b"].conns, 2)
	})
}

func TestDialUntilTheContextEnds(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := machines("a", "b")
		w.crash("b")
		var err error
		ctx, cancel := context.WithTimeout(t.Context(), 5*tick)
		defer cancel()
		require.Equal(t, 5, w.until(t, func() { _, err = w.hosts["a"].Dial(ctx, "tcp", "b:80", nil) }))
		require.EqualError(t, err, "dial tcp 10.0.0.2:80: i/o timeout")
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.True(t, err.(net.Error).Timeout())

		ctx, cancel = context.WithCancel(t.Context())
		time.AfterFunc(3*tick, cancel)
		require.Equal(t, 3, w.until(t, func() { _, err = w.hosts["a"].Dial(ctx, "tcp", "b:80", nil) }))
		require.EqualError(t, err, "dial tcp 10.0.0.2:80: operation was canceled")
		require.ErrorIs(t, err, context.Canceled)
		require.Empty(t, w.hosts["a"].conns)
	})
}

// Who dials a machine that is down gets through when it is up again.
func TestDialUntilTheMachineIsUp(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := machines("a", "b")
		w.crash("b")
		a, done := w.hosts["a"], make(chan net.Conn, 1)
		go func() { done <- dialed(t, a, "b:80") }()
		w.rounds(10)
		w.start("b")
		_, err := w.hosts["b"].stack().listen("tcp", ":80")
		require.NoError(t, err)
		w.rounds(2)
		require.Len(t, done, 1)
	})
}

// An accept that arrives after the dialer gave up resets the connection.
func TestDialerGivesUp(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := machines("a", "b")
		l, err := w.hosts["b"].stack().listen("tcp", ":80")
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), tick+tick/2)
		defer cancel()
		w.until(t, func() { _, err = w.hosts["a"].Dial(ctx, "tcp", "b:80", nil) })
		require.Error(t, err)
		b, err := l.Accept()
		require.NoError(t, err)
		w.rounds(2)
		_, err = b.Read(make([]byte, 1))
		require.ErrorIs(t, err, syscall.ECONNRESET)
	})
}

func TestRefused(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := machines("a", "b")
		var err error
		require.Equal(t, 2, w.until(t, func() { _, err = w.hosts["a"].Dial(t.Context(), "tcp", "b:80", nil) }))
		require.EqualError(t, err, "dial tcp 10.0.0.2:80: connect: connection refused")
		require.ErrorIs(t, err, syscall.ECONNREFUSED)
	})
}

// With a full backlog who dials waits; when the listener closes, who waits is reset.
func TestBacklog(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := machines("a", "b")
		l, err := w.hosts["b"].stack().listen("tcp", ":80")
		require.NoError(t, err)
		w.until(t, func() {
			for range backlog {
				dialed(t, w.hosts["a"], "b:80")
			}
		})
		a, done := w.hosts["a"], make(chan net.Conn, 1)
		go func() { done <- dialed(t, a, "b:80") }()
		w.rounds(10)
		require.Empty(t, done)
		_, err = l.Accept()
		require.NoError(t, err)
		w.rounds(2)
		require.Len(t, done, 1)
		c := <-done
		require.NoError(t, l.Close())
		w.round()
		_, err = c.Read(make([]byte, 1))
		require.ErrorIs(t, err, syscall.ECONNRESET)
	})
}
