package network

import (
	"context"
	"io"
	"net"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// keeps takes the messages that it is to out of the rounds, to be delivered later.
func (w *world) keeps(which func(*segment) bool) *[]message {
	var kept []message
	w.lose = func(from, to string, payload any) bool {
		s, ok := payload.(*segment)
		if ok && which(s) {
			kept = append(kept, message{from, to, payload})
		}
		return ok && which(s)
	}
	return &kept
}

// deliver delivers messages that were kept.
func (w *world) deliver(kept []message) {
	for _, m := range kept {
		w.hosts[m.to].Deliver(m.from, m.payload)
	}
	synctest.Wait()
}

// A refusal that comes when the connection has been accepted since is too late: a real
// one is out of its window.
func TestALateRefusalEndsNoConnection(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := machines("a", "b")
		kept := w.keeps(func(s *segment) bool { return s.kind == refuse })
		var a net.Conn
		done := make(chan bool)
		go func() { defer close(done); a = dialed(t, w.hosts["a"], "b:80") }()
		for len(*kept) == 0 {
			w.round()
		}
		l, err := w.hosts["b"].stack().listen("tcp", ":80")
		require.NoError(t, err)
		w.until(t, func() { <-done })
		w.deliver(*kept)
		b, err := l.Accept()
		require.NoError(t, err)
		_, err = a.Write([]byte("hello"))
		require.NoError(t, err)
		w.round()
		p := make([]byte, 10)
		n, err := b.Read(p)
		require.NoError(t, err)
		require.Equal(t, "hello", string(p[:n]))
	})
}

// Nobody gets a connection by a dial that comes once more when the connection is over,
// and none is reset by bytes that come again.
func TestWhatComesAgainMakesNoConnection(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := machines("a", "b")
		var again []message
		w.lose = func(from, to string, payload any) bool {
			again = append(again, message{from, to, payload})
			return false
		}
		l, err := w.hosts["b"].stack().listen("tcp", ":80")
		require.NoError(t, err)
		for range 2 {
			var a net.Conn
			w.until(t, func() { a = dialed(t, w.hosts["a"], "b:80") })
			b, err := l.Accept()
			require.NoError(t, err)
			_, err = a.Write([]byte("hello"))
			require.NoError(t, err)
			w.rounds(2)
			w.deliver(again)
			require.NoError(t, a.Close())
			w.rounds(2)
			all, err := io.ReadAll(b)
			require.NoError(t, err)
			require.Equal(t, "hello", string(all))
			require.NoError(t, b.Close())
			w.rounds(2)
			w.deliver(again)
			w.rounds(2)
			require.Empty(t, l.(*listener).waiting)
			require.Empty(t, w.sent)
			for _, h := range w.hosts {
				require.Empty(t, h.conns)
			}
		}
	})
}

// A dial that comes late, after who dials has given up, is accepted and then reset, as
// a real one is.
func TestALateDialIsReset(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := machines("a", "b")
		l, err := w.hosts["b"].stack().listen("tcp", ":80")
		require.NoError(t, err)
		kept := w.keeps(func(*segment) bool { return true })
		ctx, cancel := context.WithTimeout(t.Context(), 3*tick)
		defer cancel()
		w.until(t, func() {
			_, err := w.hosts["a"].Dial(ctx, "tcp", "b:80", nil)
			require.Error(t, err)
		})
		w.lose = func(string, string, any) bool { return false }
		w.deliver(*kept)
		b, err := l.Accept()
		require.NoError(t, err)
		w.rounds(3)
		_, err = b.Read(make([]byte, 1))
		require.ErrorIs(t, err, syscall.ECONNRESET)
	})
}
