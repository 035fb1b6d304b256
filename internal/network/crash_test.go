package network

import (
	"bytes"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// After a crash nobody knows the connection: who sends is reset, and who only reads
// does not notice.
func TestCrashOfOneEnd(t *testing.T) {
	for _, who := range []string{"a", "b"} {
		t.Run(who, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				w := machines("a", "b")
				ends := map[string]net.Conn{}
				ends["a"], ends["b"] = w.pair(t)
				c := ends[map[string]string{"a": "b", "b": "a"}[who]]
				p := make([]byte, 1)
				w.crash(who)
				_, err := ends[who].Read(p)
				require.ErrorIs(t, err, net.ErrClosed)
				_, err = ends[who].Write(p)
				require.ErrorIs(t, err, net.ErrClosed)
				w.start(who)

				require.NoError(t, c.SetReadDeadline(time.Now().Add(50*tick)))
				w.until(t, func() { _, err = c.Read(p) })
				require.ErrorIs(t, err, os.ErrDeadlineExceeded, "half open")
				require.NoError(t, c.SetReadDeadline(time.Time{}))

				_, err = c.Write(p)
				require.NoError(t, err)
				require.Equal(t, 2, w.until(t, func() { _, err = c.Read(p) }))
				require.ErrorIs(t, err, syscall.ECONNRESET)
				_, err = c.Write(p)
				require.ErrorIs(t, err, syscall.EPIPE, "the reset is told once")
				w.rounds(2) // what was sent again before the reset arrived is answered as well
				require.Empty(t, w.sent)
			})
		})
	}
}

// While the machine is down, bytes are sent again and again; then it resets.
func TestResetAfterALongCrash(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := machines("a", "b")
		a, _ := w.pair(t)
		w.crash("b")
		_, err := a.Write([]byte("x"))
		require.NoError(t, err)
		for range 500 {
			w.round()
			require.Len(t, w.sent, 1)
		}
		w.start("b")
		w.rounds(2)
		_, err = a.Read(make([]byte, 1))
		require.ErrorIs(t, err, syscall.ECONNRESET)
	})
}

// What a crashed machine does has no effect and fails at once, so that its goroutines end.
func TestNothingWorksAfterACrash(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := machines("a", "b")
		h := w.hosts["a"]
		l, err := h.stack().listen("tcp", ":80")
		require.NoError(t, err)
		p, err := h.stack().listenPacket("udp", ":80")
		require.NoError(t, err)
		a, _ := w.pair(t)
		errs := make(chan error, 5)
		wait := func(f func() error) { go func() { errs <- f() }() }
		wait(func() error { _, err := l.Accept(); return err })
		wait(func() error { _, _, err := p.ReadFrom(nil); return err })
		wait(func() error { _, err := a.Read(make([]byte, 1)); return err })
		wait(func() error { _, err := a.Write(make([]byte, 10*buffer)); return err })
		wait(func() error { _, err := h.Dial(t.Context(), "tcp", "b:81", nil); return err })
		synctest.Wait()
		require.Empty(t, errs)
		w.crash("a")
		synctest.Wait()
		require.Len(t, errs, 5)
		for range 5 {
			err := <-errs
			require.ErrorIs(t, err, net.ErrClosed)
		}
		_, err = h.stack().listen("tcp", ":81")
		require.ErrorIs(t, err, syscall.ENETDOWN)
		_, err = h.stack().listenPacket("udp", ":81")
		require.ErrorIs(t, err, syscall.ENETDOWN)
		_, err = h.Dial(t.Context(), "tcp", "b:81", nil)
		require.ErrorIs(t, err, syscall.ENETDOWN)
		_, err = h.Dial(t.Context(), "udp", "b:81", nil)
		require.ErrorIs(t, err, syscall.ENETDOWN)
	})
}

// ResetAfter counts the rounds in a row in which nothing gets through.
func TestResetAfterLosses(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := machines("a", "b")
		w.hosts["a"].ResetAfter = 3
		a, b := w.pair(t)
		lost := true
		w.lose = func(string, string, any) bool { return lost }
		for _, p := range []string{"x", "y"} {
			_, err := a.Write([]byte(p))
			require.NoError(t, err)
			w.rounds(2)
			lost = false
			w.round()
			lost = true
		}
		_, err := a.Write([]byte("z"))
		require.NoError(t, err)
		require.Equal(t, 4, w.until(t, func() { _, err = a.Read(make([]byte, 1)) }), "at the start of the fourth round")
		require.ErrorIs(t, err, syscall.ETIMEDOUT)
		require.True(t, err.(net.Error).Timeout())
		w.round()
		require.Empty(t, w.sent)
		p := make([]byte, 4)
		n, err := b.Read(p)
		require.NoError(t, err)
		require.Equal(t, "xy", string(p[:n]))

		lost = false
		_, err = b.Write(p)
		require.NoError(t, err)
		require.Equal(t, 2, w.until(t, func() { _, err = b.Read(p) }))
		require.ErrorIs(t, err, syscall.ECONNRESET)
	})
}

// An idle connection loses nothing, however long, and its first loss is the first.
func TestIdleRoundsAreNoLosses(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := machines("a", "b")
		w.hosts["a"].ResetAfter, w.hosts["b"].ResetAfter = 1, 1
		a, b := w.pair(t)
		w.rounds(20)
		_, err := a.Write([]byte("x"))
		require.NoError(t, err)
		w.rounds(5)
		_, err = b.Write([]byte("y"))
		require.NoError(t, err)
		w.rounds(5)
		p := make([]byte, 1)
		_, err = a.Read(p)
		require.NoError(t, err)
		w.lose = func(string, string, any) bool { return true }
		_, err = a.Write(p)
		require.NoError(t, err)
		w.round()
		require.NoError(t, a.(*conn).err)
		w.round()
		require.Equal(t, syscall.ETIMEDOUT, a.(*conn).err)
	})
}

// An accept that gets lost is sent again, until the dialer knows it.
func TestAcceptIsLost(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := machines("a", "b")
		l, err := w.hosts["b"].stack().listen("tcp", ":80")
		require.NoError(t, err)
		lost := 0
		w.lose = func(from, _ string, _ any) bool { lost++; return from == "b" && lost < 5 }
		require.Equal(t, 4, w.until(t, func() { dialed(t, w.hosts["a"], "b:80") }))
		require.Equal(t, []string{"a>b tcp dial :80", "b>a tcp accept", "a>b tcp dial :80", "b>a tcp accept", "b>a tcp accept"}, w.all)
		_, err = l.Accept()
		require.NoError(t, err)
		require.Len(t, w.hosts["b"].conns, 1)
	})
}

// Who does not read is not lost: that resets nothing.
func TestAFullBufferResetsNothing(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := machines("a", "b")
		w.hosts["a"].ResetAfter = 3
		a, b := w.pair(t)
		total := 5*buffer + 7
		go func() {
			n, err := a.Write(make([]byte, total))
			require.NoError(t, err)
			require.Equal(t, total, n)
			require.NoError(t, a.Close())
		}()
		w.rounds(20)
		require.Len(t, a.(*conn).out, buffer)
		require.Len(t, b.(*conn).in, buffer)
		var all []byte
		var err error
		rounds := w.until(t, func() { all, err = io.ReadAll(b) })
		require.NoError(t, err)
		require.Len(t, all, total)
		require.LessOrEqual(t, rounds, 6)
	})
}

// A Write that waits for who reads fails at its deadline, and says how much it wrote.
func TestWriteUntilADeadline(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := machines("a", "b")
		a, _ := w.pair(t)
		require.NoError(t, a.SetWriteDeadline(time.Now().Add(10*tick)))
		n, err := 0, error(nil)
		require.Equal(t, 10, w.until(t, func() { n, err = a.Write(make([]byte, 3*buffer)) }))
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		require.Equal(t, 2*buffer, n)
	})
}

// Bytes of two Writes do not mix, also if both wait.
func TestWritesAreWhole(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := machines("a", "b")
		a, b := w.pair(t)
		for _, letter := range "xyz" {
			go a.Write(bytes.Repeat([]byte(string(letter)), buffer*3/2))
		}
		all := make([]byte, 3*(buffer*3/2))
		w.until(t, func() {
			_, err := io.ReadFull(b, all)
			require.NoError(t, err)
		})
		changes := 0
		for i := range all[1:] {
			if all[i] != all[i+1] {
				changes++
			}
		}
		require.Equal(t, 2, changes)
	})
}
