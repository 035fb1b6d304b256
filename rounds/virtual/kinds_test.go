package virtual_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/stretchr/testify/require"
)

// One kind of the bytes of a connection can come late, with all bytes behind it. It cannot be
// lost or duplicated, because it would be sent again.
func TestKindsOnConnections(t *testing.T) {
	s := &system.System{
		Name: "echo", Processes: []string{"a", "b"}, Rounds: 40, New: virtual.New(virtual.Options{Start: startEcho}),
		Requests: []system.Request{{Round: 1, Process: "a", Payload: "x"}},
	}
	for schedule, reply := range map[string]string{
		"delay a>b@3+4":                               `("a", 1, "b has /x")@5`, // sent again
		"delay a>b@3/http+4":                          `("a", 1, "b has /x")@8`,
		`delay a>b@3/"GET /x"+4`:                      `("a", 1, "b has /x")@8`,
		`delay a>b@3/"GET /y"+4`:                      `("a", 1, "b has /x")@4`,
		"delay a>b@3/tcp+4":                           `("a", 1, "b has /x")@4`,
		"delay a>b@1/tcp+4":                           `("a", 1, "b has /x")@8`,
		"delay b>a@2/tcp+3; delay b>a@7/http+2":       `("a", 1, "b has /x")@9`,
		"latency a>b 2,b>a 2; delay a>b@7/http+4":     `("a", 1, "b has /x")@16`,
		"delay a>b@3/http+4; omit a>b@7; omit a>b@8":  `("a", 1, "b has /x")@8`,
		"delay a>b@3/http+4; crash b@7; restart b@10": `("a", 1, "failed")@11`,
	} {
		e := run(t, s, schedule)
		require.Equal(t, reply, facts(e, "reply"), schedule)
	}
	for _, schedule := range []string{"omit a>b@3/http", "cut a>b@1..9/http", "duplicate a>b@3/http+2", `omit a>b@3/"GET /x"#1`} {
		parsed, err := rounds.ParseSchedule(schedule)
		require.NoError(t, err)
		_, err = s.Run(t.Context(), parsed, system.RunOptions{})
		require.ErrorContains(t, err, schedule+": it hits bytes of a connection in round 3, which come in order, and are sent again when they are lost: "+
			"one kind of these can be delayed, with all bytes behind it (delay a>b@3/")
	}
}

// counting writes numbers to a connection of another server, as fast as it can.
type counting struct{ listener net.Listener }

func startCounting(m *virtual.Machine) (virtual.Server, error) {
	l, err := m.Listen("tcp", ":80")
	if err != nil {
		return nil, err
	}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				for lines := bufio.NewScanner(conn); lines.Scan(); {
					m.Fact("line", lines.Text())
				}
			}()
		}
	}()
	if m.Name() == "a" {
		go func() {
			conn, err := m.DialContext(context.Background(), "tcp", "b:80")
			for i := 1; err == nil; i++ {
				_, err = fmt.Fprintf(conn, "%04d\n", i)
				time.Sleep(7 * time.Millisecond)
			}
		}()
	}
	return counting{l}, nil
}

func (c counting) Stop() { c.listener.Close() }

// Whatever is late, and lost besides, all bytes arrive, in order, and soon.
func TestBytesStayInOrder(t *testing.T) {
	s := &system.System{Name: "counting", Processes: []string{"a", "b"}, Rounds: 30, New: virtual.New(virtual.Options{Start: startCounting})}
	random := rand.New(rand.NewPCG(1, 1))
	for range 60 {
		var schedule rounds.Schedule
		if random.IntN(2) == 0 {
			schedule.Settings.SetLatency("a", "b", random.IntN(3))
			schedule.Settings.SetLatency("b", "a", random.IntN(3))
		}
		for round := 1; round < 18; round++ {
			f := rounds.Fault{Kind: rounds.Omit, Process: "a", To: "b", Round: round}
			switch random.IntN(6) {
			case 0:
				f.Kind, f.Of, f.By = rounds.Delay, "tcp", 1+random.IntN(5)
			case 1:
			default:
				continue
			}
			schedule.Faults = append(schedule.Faults, f)
		}
		e, err := s.Run(t.Context(), schedule.Normal(), system.RunOptions{})
		require.NoError(t, err)
		n := 0
		for _, f := range e.Facts {
			if f.Relation == "line" {
				n++
				require.Equal(t, fmt.Sprintf("%04d", n), f.Args[1].Text(), "%s", schedule)
			}
		}
		require.Greater(t, n, 15, "%s", schedule)
	}
}

// telling sends two datagrams in each round, and reports what it gets.
type telling struct{ socket net.PacketConn }

func startTelling(m *virtual.Machine) (virtual.Server, error) {
	socket, err := m.ListenPacket("udp", ":7")
	if err != nil {
		return nil, err
	}
	go func() {
		buffer := make([]byte, 100)
		for {
			n, _, err := socket.ReadFrom(buffer)
			if err != nil {
				return
			}
			m.Fact("heard", string(buffer[:n]))
		}
	}()
	if m.Name() == "a" {
		ip, err := m.Lookup("b")
		if err != nil {
			return nil, err
		}
		go func() {
			time.Sleep(5 * time.Millisecond)
			for i := 1; err == nil; i++ {
				for _, what := range []string{"vote", "app"} {
					_, err = socket.WriteTo(fmt.Appendf(nil, "%s %d", what, i), &net.UDPAddr{IP: ip, Port: 7})
				}
				time.Sleep(10 * time.Millisecond)
			}
		}()
	}
	return telling{socket}, nil
}

func (t telling) Stop() { t.socket.Close() }

// Datagrams are messages of their own: one kind of them can be lost, late or come twice.
func TestKindsOfDatagrams(t *testing.T) {
	s := &system.System{Name: "telling", Processes: []string{"a", "b"}, Rounds: 4,
		New: virtual.New(virtual.Options{Start: startTelling, Tick: 10 * time.Millisecond, Text: func(b []byte) string { return string(b) }})}
	for schedule, heard := range map[string]string{
		"":                          `("b", "app 1")@1 ("b", "vote 1")@1 ("b", "app 2")@2 ("b", "vote 2")@2`,
		"omit a>b@1/vote":           `("b", "app 1")@1 ("b", "app 2")@2 ("b", "vote 2")@2`,
		"omit a>b@1/udp#2":          `("b", "vote 1")@1 ("b", "app 2")@2 ("b", "vote 2")@2`,
		"cut a>b@1..2/vote":         `("b", "app 1")@1 ("b", "app 2")@2`,
		"delay a>b@1/app+1":         `("b", "vote 1")@1 ("b", "app 1")@2 ("b", "app 2")@2 ("b", "vote 2")@2`,
		`duplicate a>b@1/"app 1"+1`: `("b", "app 1")@1 ("b", "vote 1")@1 ("b", "app 1")@2 ("b", "app 2")@2 ("b", "vote 2")@2`,
	} {
		var early []string
		for _, f := range run(t, s, schedule).Facts {
			if f.Relation == "heard" && f.Round <= 2 {
				early = append(early, strings.TrimPrefix(f.String(), "heard"))
			}
		}
		require.Equal(t, heard, strings.Join(early, " "), schedule)
	}
}
