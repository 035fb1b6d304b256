package network

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"regexp"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// stack is a network: that of the operating system, or that of a machine.
type stack struct {
	listen       func(network, address string) (net.Listener, error)
	listenPacket func(network, address string) (net.PacketConn, error)
	dial         func(ctx context.Context, network, address string) (net.Conn, error)
}

func system() stack {
	return stack{net.Listen, net.ListenPacket, new(net.Dialer).DialContext}
}

func (h *Host) stack() stack {
	return stack{
		func(network, address string) (net.Listener, error) {
			return h.Listen(context.Background(), network, address)
		},
		func(network, address string) (net.PacketConn, error) {
			return h.ListenPacket(context.Background(), network, address)
		},
		func(ctx context.Context, network, address string) (net.Conn, error) {
			return h.Dial(ctx, network, address, nil)
		},
	}
}

// pair returns both ends of a connection.
func (s stack) pair(t *testing.T) (dialer, acceptor net.Conn) {
	t.Helper()
	l, err := s.listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	dialer, err = s.dial(t.Context(), "tcp", l.Addr().String())
	require.NoError(t, err)
	acceptor, err = l.Accept()
	require.NoError(t, err)
	require.NoError(t, l.Close())
	return dialer, acceptor
}

// told says what a call returned: the result, the error with its types and what it is
// asked for.
func told(n any, err error) string {
	text := fmt.Sprint(n)
	for e := err; e != nil; e = errors.Unwrap(e) {
		text += fmt.Sprintf(" | %T %v", e, e)
	}
	var timeout net.Error
	if errors.As(err, &timeout) {
		text += fmt.Sprintf(" | timeout %v", timeout.Timeout())
	}
	for _, target := range []error{io.EOF, net.ErrClosed, os.ErrDeadlineExceeded, context.DeadlineExceeded, context.Canceled,
		syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.EPIPE, syscall.EADDRINUSE, syscall.ENOTCONN} {
		if errors.Is(err, target) {
			text += fmt.Sprintf(" | is %v", target)
		}
	}
	return text
}

// scenarios are things that are done to a network, each of which returns what it saw.
var scenarios = map[string]func(t *testing.T, s stack) []string{
	"refused": func(t *testing.T, s stack) []string {
		l, err := s.listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		require.NoError(t, l.Close())
		c, err := s.dial(t.Context(), "tcp", l.Addr().String())
		return []string{told(c == nil, err), told("close again", l.Close())}
	},
	"accept on a closed listener": func(t *testing.T, s stack) []string {
		l, err := s.listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		require.NoError(t, l.Close())
		_, err = l.Accept()
		return []string{told(l.Addr().Network(), err)}
	},
	"accept until a deadline": func(t *testing.T, s stack) []string {
		l, err := s.listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer l.Close()
		require.NoError(t, l.(interface{ SetDeadline(time.Time) error }).SetDeadline(time.Now().Add(time.Millisecond)))
		_, err = l.Accept()
		return []string{told(nil, err)}
	},
	"address in use": func(t *testing.T, s stack) []string {
		l, err := s.listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer l.Close()
		again, err := s.listen("tcp", l.Addr().String())
		p, packets := s.listenPacket("udp", "127.0.0.1:0")
		require.NoError(t, packets)
		defer p.Close()
		_, packets = s.listenPacket("udp", p.LocalAddr().String())
		return []string{told(again == nil, err), told(nil, packets)}
	},
	"bad addresses": func(t *testing.T, s stack) (seen []string) {
		for _, address := range []string{"", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:70000", "127.0.0.1:-1", "[::1", "1:2:3"} {
			_, err := s.listen("tcp", address)
			_, dialed := s.dial(t.Context(), "tcp", address)
			seen = append(seen, told(address, err), told(address, dialed))
		}
		return seen
	},
	"bad networks": func(t *testing.T, s stack) []string {
		_, err := s.listen("udp", "127.0.0.1:0")
		_, dialed := s.dial(t.Context(), "tcpx", "127.0.0.1:1")
		_, packets := s.listenPacket("tcp", "127.0.0.1:0")
		return []string{told(nil, err), told(nil, dialed), told(nil, packets)}
	},
	"dial with a context that is over": func(t *testing.T, s stack) []string {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, canceled := s.dial(ctx, "tcp", "127.0.0.1:1")
		ctx, cancel = context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
		defer cancel()
		_, late := s.dial(ctx, "tcp", "127.0.0.1:1")
		return []string{told(nil, canceled), told(nil, late)}
	},
	"addresses": func(t *testing.T, s stack) (seen []string) {
		for _, address := range []string{"127.0.0.1:0", "localhost:0"} {
			l, err := s.listen("tcp", address)
			require.NoError(t, err)
			p, err := s.listenPacket("udp", address)
			require.NoError(t, err)
			seen = append(seen, l.Addr().String(), p.LocalAddr().String(), fmt.Sprintf("%T %T", l.Addr(), p.LocalAddr()))
			require.NoError(t, l.Close())
			require.NoError(t, p.Close())
		}
		return seen
	},
	"deadlines": func(t *testing.T, s stack) (seen []string) {
		a, b := s.pair(t)
		defer b.Close()
		p := make([]byte, 4)
		require.NoError(t, a.SetReadDeadline(time.Now().Add(time.Millisecond)))
		seen = append(seen, told(a.Read(p)), told(a.Write([]byte("x"))))
		require.NoError(t, b.SetDeadline(time.Now().Add(-time.Hour)))
		seen = append(seen, told(b.Read(p)), told(b.Write([]byte("x"))), told(b.Read(nil)))
		require.NoError(t, b.SetDeadline(time.Time{}))
		seen = append(seen, told(b.Read(p)))
		require.NoError(t, a.Close())
		return append(seen, told(nil, a.SetDeadline(time.Now())), told(nil, a.SetReadDeadline(time.Now())))
	},
	"half close": func(t *testing.T, s stack) (seen []string) {
		a, b := s.pair(t)
		p := make([]byte, 4)
		seen = append(seen, told(a.Write([]byte("ab"))), told(nil, a.(*halves).CloseWrite()), told(a.Write([]byte("c"))), told(a.Write(nil)))
		seen = append(seen, told(b.Read(p[:1])), told(b.Read(p)), told(b.Read(p)), told(b.Read(p[:0])), told(b.Write([]byte("de"))))
		seen = append(seen, told(a.Read(p)), told(nil, b.Close()), told(a.Read(p)), told(nil, a.Close()))
		return append(seen, told(a.Read(p)), told(a.Write(p)), told(nil, a.Close()), told(nil, a.(*halves).CloseWrite()))
	},
	"close read": func(t *testing.T, s stack) []string {
		a, b := s.pair(t)
		defer b.Close()
		defer a.Close()
		seen := []string{told(nil, a.(*halves).CloseRead()), told(a.Read(make([]byte, 1)))}
		return append(seen, told(a.Write([]byte("x"))), told(b.Read(make([]byte, 1))))
	},
	"close with unread bytes": func(t *testing.T, s stack) (seen []string) {
		a, b := s.pair(t)
		p := make([]byte, 4)
		seen = append(seen, told(b.Write([]byte("left"))), told(a.Write([]byte("unread"))), told(b.Read(p[:1])))
		seen = append(seen, told(nil, b.Close()))
		time.Sleep(10 * time.Millisecond)
		return append(seen, told(a.Read(p)), told(a.Read(p)))
	},
	"write to who has closed": func(t *testing.T, s stack) []string {
		a, b := s.pair(t)
		p := make([]byte, 4)
		seen := []string{told(nil, b.Close()), told(a.Read(p)), told(a.Write(p))}
		time.Sleep(10 * time.Millisecond)
		return append(seen, told(a.Write(p)), told(a.Write(p)), told(nil, a.Close()))
	},
	"linger": func(t *testing.T, s stack) []string {
		a, b := s.pair(t)
		seen := []string{told(nil, b.(*halves).SetLinger(0)), told(b.Write([]byte("lost"))), told(nil, b.Close())}
		time.Sleep(10 * time.Millisecond)
		defer a.Close()
		return append(seen, told(nil, b.(*halves).SetLinger(0)))
	},
	"datagrams": func(t *testing.T, s stack) (seen []string) {
		p, err := s.listenPacket("udp", "127.0.0.1:0")
		require.NoError(t, err)
		c, err := s.dial(t.Context(), "udp", p.LocalAddr().String())
		require.NoError(t, err)
		b := make([]byte, 8)
		seen = append(seen, told(c.Write([]byte("longer than eight"))), told(c.Write(nil)), told(c.Write(make([]byte, 65508))))
		n, from, err := p.ReadFrom(b)
		seen = append(seen, told(fmt.Sprint(n, from.String() == c.LocalAddr().String(), fmt.Sprintf("%T", from)), err))
		n, _, err = p.ReadFrom(b)
		seen = append(seen, told(n, err), told(p.WriteTo([]byte("back"), from)), told(c.Read(b)))
		seen = append(seen, told(c.(net.PacketConn).WriteTo([]byte("x"), p.LocalAddr())), told(p.WriteTo(nil, &net.TCPAddr{})))
		require.NoError(t, p.SetReadDeadline(time.Now().Add(time.Millisecond)))
		_, _, err = p.ReadFrom(b)
		seen = append(seen, told(nil, err), told(nil, p.Close()), told(nil, p.Close()), told(nil, p.SetDeadline(time.Time{})))
		_, _, err = p.ReadFrom(b)
		return append(seen, told(nil, err), told(p.WriteTo(b, c.LocalAddr())), told(nil, c.Close()), told(c.Write(b)))
	},
	"a socket that was not connected": func(t *testing.T, s stack) []string {
		p, err := s.listenPacket("udp", "127.0.0.1:0")
		require.NoError(t, err)
		defer p.Close()
		return []string{fmt.Sprint(p.(net.Conn).RemoteAddr()), told(p.(net.Conn).Write([]byte("x")))}
	},
}

// halves is what a scenario can do with the end of a connection besides.
type halves struct {
	net.Conn
	CloseWrite, CloseRead func() error
	SetLinger             func(int) error
}

// withHalves lets a stack return connections that scenarios can half close.
func (s stack) withHalves() stack {
	wrap := func(c net.Conn, err error) (net.Conn, error) {
		h, ok := c.(interface {
			CloseWrite() error
			CloseRead() error
			SetLinger(int) error
		})
		if !ok {
			return c, err
		}
		return &halves{c, h.CloseWrite, h.CloseRead, h.SetLinger}, err
	}
	dial, listen := s.dial, s.listen
	s.dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		return wrap(dial(ctx, network, address))
	}
	s.listen = func(network, address string) (net.Listener, error) {
		l, err := listen(network, address)
		if err != nil {
			return nil, err
		}
		return &wrapping{l, wrap}, nil
	}
	return s
}

type wrapping struct {
	net.Listener
	wrap func(net.Conn, error) (net.Conn, error)
}

func (w *wrapping) Accept() (net.Conn, error) { return w.wrap(w.Listener.Accept()) }

func (w *wrapping) SetDeadline(t time.Time) error {
	return w.Listener.(interface{ SetDeadline(time.Time) error }).SetDeadline(t)
}

// What a server sees of the network of its machine is what it would see of that of the
// operating system: the same results, errors of the same types and texts.
func TestItIsLikePackageNet(t *testing.T) {
	ports := regexp.MustCompile(`:[1-9][0-9]{3,}`)
	private := regexp.MustCompile(`\*[a-z]+\.[a-z]\w*|[a-z]+\.[a-z]\w+Error`)
	for name, scenario := range scenarios {
		t.Run(name, func(t *testing.T) {
			real := scenario(t, system().withHalves())
			var virtual []string
			inBubble(t, func(t *testing.T) {
				virtual = scenario(t, New(Options{Name: "a", Names: []string{"a"}}).stack().withHalves())
			})
			require.Len(t, virtual, len(real))
			for i := range real {
				plain := func(text string) string {
					return private.ReplaceAllString(ports.ReplaceAllString(text, ":PORT"), "TYPE")
				}
				require.Equal(t, plain(real[i]), plain(virtual[i]), "what was seen at place %d", i)
			}
		})
	}
}
