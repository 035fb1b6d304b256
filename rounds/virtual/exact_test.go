package virtual_test

import (
	"context"
	crand "crypto/rand"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/bubble"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/stretchr/testify/require"
)

// lottery is a server in which everything is random that is random in Go: it gossips
// what its goroutines draw, in the order in which they come to it, to who a map names
// first.
type lottery struct {
	machine *virtual.Machine
	conn    net.PacketConn
	stop    chan struct{}
	mutex   sync.Mutex
	drawn   []string
	known   map[string]int
}

// late is what a library makes when it needs it first, here after the first restart in
// this program. What is random after that must not depend on it.
var late = sync.OnceFunc(func() {
	for range map[string]int{"a": 1, "b": 2, "c": 3} {
	}
})

func startLottery(m *virtual.Machine) (virtual.Server, error) {
	if m.Round() > 1 {
		late()
	}
	conn, err := m.ListenPacket("udp", ":7000")
	if err != nil {
		return nil, err
	}
	l := &lottery{machine: m, conn: conn, stop: make(chan struct{}), known: map[string]int{}}
	for _, name := range m.Names() {
		l.known[name] = 0
	}
	for i := range 4 {
		go l.draw(i)
	}
	go l.hear()
	return l, nil
}

func (l *lottery) draw(i int) {
	ticker, other := time.NewTicker(10*time.Millisecond), time.NewTicker(10*time.Millisecond)
	defer ticker.Stop()
	defer other.Stop()
	for {
		what := ""
		select {
		case <-ticker.C:
			what = "one"
		case <-other.C:
			what = "other"
		case <-l.stop:
			return
		}
		var b [2]byte
		crand.Read(b[:])
		l.tell(fmt.Sprintf("%d %s %d %x %d", i, what, rand.IntN(1000), b, l.machine.Random().IntN(1000)))
	}
}

func (l *lottery) tell(what string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.drawn = append(l.drawn, what)
	for name := range l.known {
		if name != l.machine.Name() {
			ip, _ := l.machine.Lookup(name)
			l.conn.WriteTo([]byte(what), &net.UDPAddr{IP: ip, Port: 7000})
			return
		}
	}
}

func (l *lottery) hear() {
	var b [100]byte
	for {
		n, from, err := l.conn.ReadFrom(b[:])
		if err != nil {
			return
		}
		l.mutex.Lock()
		l.drawn = append(l.drawn, from.String()+" "+string(b[:n]))
		l.mutex.Unlock()
	}
}

func (l *lottery) Report(m *virtual.Machine) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	m.Fact("drawn", strings.Join(l.drawn, ", "))
	l.drawn = nil
}

func (l *lottery) Stop() { close(l.stop); l.conn.Close() }

func lotteries() *system.System {
	return &system.System{
		Name: "lotteries", Processes: []string{"a", "b", "c"}, Rounds: 30,
		New: virtual.New(virtual.Options{Start: startLottery, Text: func(b []byte) string { return string(b) }}),
	}
}

// repeated are what exact executions are of.
var repeated = []string{
	"seed 1", "seed 2", "isolate b@3..9; crash a@12; restart a@15; pause c@20..22; seed 3", "goroutines 7; seed 1", "goroutines 8; seed 1",
}

// recorded returns the recording of an execution.
func recorded(s *system.System, schedule string) (string, error) {
	parsed, err := rounds.ParseSchedule(schedule)
	if err != nil {
		return "", err
	}
	e, err := s.Run(context.Background(), parsed, system.RunOptions{})
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, f := range e.Facts {
		fmt.Fprintln(&out, f)
	}
	for _, m := range e.Messages {
		fmt.Fprintln(&out, m, m.Lost, m.Arrival)
	}
	if e.Inexact != "" {
		return "", fmt.Errorf("schedule %q: inexact: %s", schedule, e.Inexact)
	}
	return out.String(), nil
}

// In a program with the overlay the same schedule gives the same recording, in this
// program and in others at the same time, and the order of goroutines is drawn.
func TestExact(t *testing.T) {
	if !bubble.Exact() {
		t.Skip("this is the program of TestOverlay")
	}
	s := lotteries()
	first := map[string]string{}
	for _, schedule := range repeated {
		text, err := recorded(s, schedule)
		require.NoError(t, err)
		for other, recording := range first {
			require.NotEqual(t, recording, text, "%s and %s", other, schedule)
		}
		first[schedule] = text
		fmt.Printf("RECORDING %s: %s\n", schedule, sum(text))
	}
	for i := range max(executions(), 10) {
		schedule := repeated[i*i%len(repeated)]
		text, err := recorded(s, schedule)
		require.NoError(t, err)
		require.Equal(t, first[schedule], text, "execution %d of %s", i, schedule)
	}
}
