package network

import (
	"context"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// tick is the time of a round.
const tick = 10 * time.Millisecond

// world is some machines in one bubble, and the rounds between them.
type world struct {
	hosts map[string]*Host
	names []string
	lose  func(from, to string, payload any) bool
	sent  []string // in the last round
	all   []string // in all rounds
}

// machines starts machines with these names.
func machines(names ...string) *world {
	w := &world{hosts: map[string]*Host{}, names: names, lose: func(string, string, any) bool { return false }}
	for _, n := range names {
		w.start(n)
	}
	return w
}

// start starts a machine, perhaps once more.
func (w *world) start(name string) {
	w.hosts[name] = New(Options{Name: name, Names: w.names})
}

// crash stops a machine.
func (w *world) crash(name string) {
	w.hosts[name].Crash()
	delete(w.hosts, name)
}

type message struct {
	from, to string
	payload  any
}

// round executes one round.
func (w *world) round() {
	for _, n := range w.names {
		if h := w.hosts[n]; h != nil {
			h.Settle()
		}
	}
	time.Sleep(tick)
	synctest.Wait()
	var sent []message
	w.sent = nil
	for _, from := range w.names {
		if h := w.hosts[from]; h != nil {
			h.Collect(func(to string, payload any) { sent = append(sent, message{from, to, payload}) })
		}
	}
	for _, m := range sent {
		s := m.payload.(interface {
			String() string
			Kind() string
		})
		w.sent = append(w.sent, m.from+">"+m.to+" "+s.Kind()+" "+s.String())
		w.all = append(w.all, w.sent[len(w.sent)-1])
		if h := w.hosts[m.to]; h != nil && !w.lose(m.from, m.to, m.payload) {
			h.Deliver(m.from, m.payload)
		}
	}
	synctest.Wait()
}

// rounds executes some rounds.
func (w *world) rounds(n int) {
	for range n {
		w.round()
	}
}

// until executes rounds until something is done, in a goroutine, and tells how many.
func (w *world) until(t *testing.T, f func()) int {
	t.Helper()
	done := make(chan bool)
	go func() { defer close(done); f() }()
	for i := range 1000 {
		synctest.Wait()
		select {
		case <-done:
			return i
		default:
			w.round()
		}
	}
	require.Fail(t, "it does not end")
	return 0
}

// pair returns both ends of a connection from a to b.
func (w *world) pair(t *testing.T) (a, b net.Conn) {
	t.Helper()
	l, err := w.hosts["b"].stack().listen("tcp", ":80")
	require.NoError(t, err)
	w.until(t, func() { a = dialed(t, w.hosts["a"], "b:80") })
	b, err = l.Accept()
	require.NoError(t, err)
	require.NoError(t, l.Close())
	return a, b
}

func dialed(t *testing.T, h *Host, address string) net.Conn {
	c, err := h.Dial(context.Background(), "tcp", address, nil)
	if err != nil {
		t.Error(err)
	}
	return c
}

// inBubble runs a test in a bubble.
func inBubble(t *testing.T, f func(t *testing.T)) { synctest.Test(t, f) }

func TestBytesArrive(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := machines("a", "b")
		a, b := w.pair(t)
		_, err := a.Write([]byte("hello"))
		require.NoError(t, err)
		_, err = a.Write([]byte(" world"))
		require.NoError(t, err)
		require.NoError(t, a.Close())
		w.round()
		require.Len(t, w.sent, 1)
		all, err := io.ReadAll(b)
		require.NoError(t, err)
		require.Equal(t, "hello world", string(all))
		require.NoError(t, b.Close())
		w.round()
		require.Len(t, w.sent, 1)
		w.round()
		require.Empty(t, w.sent)
		for _, h := range w.hosts {
			require.Empty(t, h.conns)
			require.Empty(t, h.byLink)
		}
	})
}

// What is lost is sent again in each round, with what is new.
func TestLostBytesAreSentAgain(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := machines("a", "b")
		a, b := w.pair(t)
		w.lose = func(string, string, any) bool { return true }
		for _, text := range []string{"x", "y", "z"} {
			_, err := a.Write([]byte(text))
			require.NoError(t, err)
			w.round()
			require.Len(t, w.sent, 1)
		}
		w.rounds(100)
		w.lose = func(string, string, any) bool { return false }
		w.round()
		p := make([]byte, 10)
		n, err := b.Read(p)
		require.NoError(t, err)
		require.Equal(t, "xyz", string(p[:n]))
		w.round()
		require.Empty(t, w.sent)
	})
}

func TestDatagrams(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := machines("a", "b")
		b, err := w.hosts["b"].stack().listenPacket("udp", ":53")
		require.NoError(t, err)
		a, err := w.hosts["a"].stack().listenPacket("udp", ":0")
		require.NoError(t, err)
		to := &net.UDPAddr{IP: net.IPv4(10, 0, 0, 2), Port: 53}
		_, err = a.WriteTo([]byte("lost"), to)
		require.NoError(t, err)
		w.lose = func(string, string, any) bool { return true }
		w.round()
		w.lose = func(string, string, any) bool { return false }
		_, err = a.WriteTo([]byte("one"), to)
		require.NoError(t, err)
		_, err = a.WriteTo([]byte("two"), to)
		require.NoError(t, err)
		w.round()
		require.Len(t, w.sent, 2)
		p := make([]byte, 2)
		n, from, err := b.ReadFrom(p)
		require.NoError(t, err)
		require.Equal(t, "on", string(p[:n]))
		require.Equal(t, "10.0.0.1:49152", from.String())
		n, _, err = b.ReadFrom(p)
		require.NoError(t, err)
		require.Equal(t, "tw", string(p[:n]))
	})
}

// A socket is heard at the addresses on which it listens; a connected one hears who it
// is connected with.
func TestWhoHearsADatagram(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := machines("a", "b")
		a, b := w.hosts["a"], w.hosts["b"]
		from, err := a.stack().listenPacket("udp", ":1")
		require.NoError(t, err)
		wild, err := b.stack().listenPacket("udp", ":2")
		require.NoError(t, err)
		own, err := b.stack().listenPacket("udp", "localhost:3")
		require.NoError(t, err)
		var connected net.Conn
		connected, err = b.Dial(t.Context(), "udp", "a:1", &net.UDPAddr{Port: 4})
		require.NoError(t, err)
		for port := 1; port < 6; port++ {
			_, err := from.WriteTo([]byte{byte(port)}, &net.UDPAddr{IP: net.IPv4(10, 0, 0, 2), Port: port})
			require.NoError(t, err)
		}
		other, err := a.stack().listenPacket("udp", "")
		require.NoError(t, err)
		_, err = other.WriteTo([]byte("not heard"), connected.LocalAddr())
		require.NoError(t, err)
		w.round()
		for _, c := range []struct {
			name   string
			socket net.PacketConn
			want   string
		}{{"wild", wild, "\x02"}, {"own", own, ""}, {"connected", connected.(net.PacketConn), "\x04"}} {
			p := make([]byte, 20)
			require.NoError(t, c.socket.SetReadDeadline(time.Now().Add(1)))
			n, _, err := c.socket.ReadFrom(p)
			require.Equal(t, c.want, string(p[:n]), c.name)
			require.Equal(t, c.want == "", err != nil)
			require.NoError(t, c.socket.SetReadDeadline(time.Now().Add(1)))
			_, _, err = c.socket.ReadFrom(p)
			require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		}
		_, err = from.WriteTo(nil, &net.UDPAddr{IP: net.IPv4(8, 8, 8, 8), Port: 53})
		require.ErrorIs(t, err, syscall.ENETUNREACH)
		_, err = a.Dial(t.Context(), "udp", "8.8.8.8:53", nil)
		require.ErrorIs(t, err, syscall.ENETUNREACH)
	})
}

// What a socket has no room for is lost.
func TestASocketOverflows(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := machines("a")
		p, err := w.hosts["a"].stack().listenPacket("udp", ":1")
		require.NoError(t, err)
		for range 20 {
			_, err := p.WriteTo(make([]byte, largestDatagram), &net.UDPAddr{IP: loopback, Port: 1})
			require.NoError(t, err)
		}
		require.Len(t, p.(*packetConn).arrived, socketBuffer/largestDatagram)
	})
}
