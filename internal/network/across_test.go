package network

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// between is a network with two machines: what dials and what listens, and a time after
// which everything has arrived.
type between struct {
	dials, listens stack
	address        string // of who listens
	rest           func()
}

// pair returns a connection, and who listens for others.
func (b between) pair(t *testing.T) (dialer, acceptor net.Conn, l net.Listener) {
	l, err := b.listens.listen("tcp", b.address+":0")
	require.NoError(t, err)
	dialer = b.dial(t, l.Addr())
	acceptor, err = l.Accept()
	require.NoError(t, err)
	return dialer, acceptor, l
}

func (b between) dial(t *testing.T, to net.Addr) net.Conn {
	c, err := b.dials.dial(context.Background(), to.Network(), to.String())
	require.NoError(t, err)
	b.rest()
	return c
}

// saw says what a call returned, in short.
func saw(what string, err error) string {
	for _, target := range []error{io.EOF, net.ErrClosed, os.ErrDeadlineExceeded, syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.EPIPE} {
		if errors.Is(err, target) {
			return fmt.Sprintf("%s: %v", what, target)
		}
	}
	return fmt.Sprintf("%s: %v", what, err)
}

func reads(c net.Conn) string {
	p := make([]byte, 100)
	_ = c.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	n, err := c.Read(p)
	_ = c.SetReadDeadline(time.Time{})
	return saw("read "+string(p[:n]), err)
}

func writes(c net.Conn, text string) string {
	_, err := c.Write([]byte(text))
	return saw("write "+text, err)
}

// across are things that are done to a connection between two machines.
var across = map[string]func(t *testing.T, b between) []string{
	"an answer and a close, while something is not read": func(t *testing.T, b between) []string {
		c, s, l := b.pair(t)
		defer l.Close()
		seen := []string{writes(c, "one two")}
		b.rest()
		_, err := io.ReadFull(s, make([]byte, 3))
		seen = append(seen, saw("one", err), writes(s, "too long"), saw("close", s.Close()))
		b.rest()
		seen = append(seen, reads(c), reads(c), reads(c), writes(c, "x"))
		b.rest()
		return append(seen, writes(c, "y"), saw("close", c.Close()))
	},
	"an abrupt close": func(t *testing.T, b between) []string {
		c, s, l := b.pair(t)
		defer l.Close()
		require.NoError(t, s.(interface{ SetLinger(int) error }).SetLinger(0))
		seen := []string{writes(s, "bye"), saw("close", s.Close())}
		b.rest()
		return append(seen, reads(c), writes(c, "x"), reads(c), writes(c, "y"), saw("close", c.Close()))
	},
	"writes after the other end has closed": func(t *testing.T, b between) []string {
		c, s, l := b.pair(t)
		defer l.Close()
		seen := []string{writes(s, "last"), saw("close", s.Close())}
		b.rest()
		seen = append(seen, writes(c, "x"))
		b.rest()
		return append(seen, reads(c), reads(c), writes(c, "y"), reads(c), writes(c, "z"))
	},
	"both close": func(t *testing.T, b between) []string {
		c, s, l := b.pair(t)
		defer l.Close()
		seen := []string{writes(c, "1"), writes(s, "2")}
		b.rest()
		seen = append(seen, saw("close", c.Close()))
		b.rest()
		return append(seen, reads(s), reads(s), reads(s), saw("close", s.Close()))
	},
	"a half close": func(t *testing.T, b between) []string {
		c, s, l := b.pair(t)
		defer l.Close()
		seen := []string{writes(c, "request"), saw("close", c.(interface{ CloseWrite() error }).CloseWrite())}
		b.rest()
		seen = append(seen, reads(s), reads(s), writes(s, "answer"), saw("close", s.Close()))
		b.rest()
		return append(seen, writes(c, "x"), reads(c), reads(c), saw("close", c.Close()), saw("again", c.Close()))
	},
	"nobody reads any more": func(t *testing.T, b between) []string {
		c, s, l := b.pair(t)
		defer l.Close()
		seen := []string{writes(s, "early")}
		b.rest()
		seen = append(seen, saw("close", c.(interface{ CloseRead() error }).CloseRead()), reads(c), reads(c), writes(s, "more"))
		b.rest()
		return append(seen, writes(s, "x"), writes(c, "y"))
	},
	"nobody accepts": func(t *testing.T, b between) []string {
		c, s, l := b.pair(t)
		defer s.Close()
		defer c.Close()
		waits := b.dial(t, l.Addr())
		seen := []string{writes(waits, "x"), saw("close", l.Close())}
		b.rest()
		seen = append(seen, reads(waits), writes(waits, "y"))
		b.rest()
		return append(seen, writes(waits, "z"))
	},
	"a megabyte at once": func(t *testing.T, b between) []string {
		c, s, l := b.pair(t)
		defer l.Close()
		go func() { _, _ = c.Write(make([]byte, 1<<20)); c.Close() }()
		n, err := io.Copy(io.Discard, s)
		return []string{saw(fmt.Sprint(n), err)}
	},
	"a write that nobody takes": func(t *testing.T, b between) []string {
		c, s, l := b.pair(t)
		defer l.Close()
		defer s.Close()
		require.NoError(t, c.SetWriteDeadline(time.Now().Add(100*time.Millisecond)))
		n, err := c.Write(make([]byte, 32<<20)) // perhaps nothing, on a busy machine
		_, again := c.Write([]byte("x"))
		return []string{saw(fmt.Sprint(n < 32<<20), err), saw("again", again)}
	},
}

// Whatever is done to a connection between two machines, both ends see what they see of
// one of the operating system.
func TestAcross(t *testing.T) {
	for name, do := range across {
		t.Run(name, func(t *testing.T) {
			s := system()
			real := do(t, between{s, s, "127.0.0.1", func() { time.Sleep(30 * time.Millisecond) }})
			inBubble(t, func(t *testing.T) {
				w := machines("a", "b")
				stop := w.goOn()
				defer stop()
				require.Equal(t, real, do(t, between{w.hosts["a"].stack(), w.hosts["b"].stack(), "10.0.0.2", func() { time.Sleep(8 * tick) }}))
			})
		})
	}
}

// goOn executes rounds until it is stopped.
func (w *world) goOn() (stop func()) {
	over, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		for {
			select {
			case <-over:
				return
			case <-time.After(tick):
				w.exchange()
			}
		}
	}()
	return func() { close(over); <-stopped }
}

// exchange delivers what is sent.
func (w *world) exchange() {
	var sent []message
	for _, from := range w.names {
		w.hosts[from].Collect(func(to string, payload any) { sent = append(sent, message{from, to, payload}) })
	}
	for _, m := range sent {
		w.hosts[m.to].Deliver(m.from, m.payload)
	}
}

// A reset brings what was written just before it, and it is lost with that. What had been
// lost before is not sent again, so that nothing after it is read either.
func TestResetWithBytes(t *testing.T) {
	for name, story := range map[string]struct {
		before bool // something was written in a round before
		lost   int  // this round is lost
		read   string
	}{
		"arrives":                  {false, 0, "two"},
		"is lost":                  {false, 1, ""},
		"what was before is taken": {true, 0, "onetwo"},
		"what was before is lost":  {true, 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				w := machines("a", "b")
				a, b := w.pair(t)
				round := 0
				w.lose = func(string, string, any) bool { return round == story.lost }
				if story.before {
					round++
					require.Equal(t, "write one: <nil>", writes(a, "one"))
					w.round()
				}
				require.Equal(t, "write two: <nil>", writes(a, "two"))
				require.NoError(t, a.(*conn).SetLinger(0))
				require.NoError(t, a.Close())
				round++
				w.rounds(3)
				require.Equal(t, story.read, string(b.(*conn).in))
				if story.lost == 0 || story.before {
					require.ErrorIs(t, b.(*conn).err, syscall.ECONNRESET)
				}
			})
		})
	}
}
