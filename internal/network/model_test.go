package network

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// paused keeps what is sent to a machine that stands still, as the runner does.
type paused struct {
	held []message
	left int // rounds
}

// Whatever is lost, comes late or twice, and whoever is paused, what is read of a
// connection is what was written to it, in order; when that ends, all of it arrives. The model of a direction
// is the text that was written.
func TestConnectionsAgainstAModel(t *testing.T) {
	for seed := range uint64(200) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			inBubble(t, func(t *testing.T) { newModel(t, rand.New(rand.NewPCG(seed, 1))).run(t) })
		})
	}
}

// model is some connections between machines, and what was written to them.
type model struct {
	*world
	random  *rand.Rand
	streams []*stream
	pauses  map[string]*paused
	late    []late
	calm    bool
}

// late is a message that arrives after some rounds more.
type late struct {
	message
	left int
}

// stream is one direction of a connection.
type stream struct {
	from, to      net.Conn
	written, read string
	ended, seen   bool
}

func newModel(t *testing.T, random *rand.Rand) *model {
	m := &model{world: machines("a", "b", "c"), random: random, pauses: map[string]*paused{}}
	for i := range 1 + random.IntN(4) {
		far := m.names[1+random.IntN(2)]
		l, err := m.hosts[far].stack().listen("tcp", fmt.Sprintf(":%d", 80+i))
		require.NoError(t, err)
		var a net.Conn
		m.until(t, func() { a = dialed(t, m.hosts["a"], fmt.Sprintf("%s:%d", far, 80+i)) })
		b, err := l.Accept()
		require.NoError(t, err)
		m.streams = append(m.streams, &stream{from: a, to: b}, &stream{from: b, to: a})
	}
	for _, n := range m.names {
		m.pauses[n] = &paused{}
	}
	m.lose = m.fate
	return m
}

// fate loses a message, or lets it wait.
func (m *model) fate(from, to string, payload any) bool {
	if p := m.pauses[to]; p.left > 0 {
		p.held = append(p.held, message{from, to, payload})
		return true
	}
	k := m.random.IntN(12)
	if m.calm {
		return false
	}
	if k == 4 || k > 9 {
		m.late = append(m.late, late{message{from, to, payload}, 1 + m.random.IntN(5)})
	}
	return k < 6
}

// arrive delivers what comes late or again, in this round after all else.
func (m *model) arrive() {
	var left []late
	for _, l := range m.late {
		l.left--
		switch {
		case l.left > 0:
			left = append(left, l)
		case m.pauses[l.to].left > 0:
			m.pauses[l.to].held = append(m.pauses[l.to].held, l.message)
		default:
			m.hosts[l.to].Deliver(l.from, l.payload)
		}
	}
	m.late = left
	synctest.Wait()
}

// run does random things for some rounds, then lets everything arrive.
func (m *model) run(t *testing.T) {
	for range 60 {
		for _, s := range m.streams {
			m.use(t, s)
		}
		m.stand()
		m.arrive()
		m.round()
	}
	m.calm = true
	for range 10 {
		m.stand()
		m.arrive()
		m.round()
	}
	for _, s := range m.streams {
		m.drain(t, s)
		require.Equal(t, s.written, s.read)
		require.Equal(t, s.ended, s.seen)
	}
	m.round()
	require.Empty(t, m.sent)
}

// stand begins and ends pauses: a machine that goes on gets what waited for it.
func (m *model) stand() {
	for _, n := range m.names {
		p := m.pauses[n]
		if p.left > 0 {
			if p.left--; p.left == 0 {
				for _, held := range p.held {
					m.hosts[n].Deliver(held.from, held.payload)
				}
				p.held = nil
			}
		} else if !m.calm && m.random.IntN(8) == 0 {
			p.left = 1 + m.random.IntN(5)
		}
	}
}

// use writes, reads or closes a direction.
func (m *model) use(t *testing.T, s *stream) {
	switch k := m.random.IntN(12); {
	case k == 0 && !s.ended:
		require.NoError(t, s.from.(*conn).CloseWrite())
		s.ended = true
	case k < 6 && !s.ended:
		text := fmt.Sprintf("%d,", m.random.IntN(1000))
		n, err := s.from.Write([]byte(text))
		require.NoError(t, err)
		s.written += text[:n]
	case k < 9:
		m.drain(t, s)
	}
}

// drain reads what is there.
func (m *model) drain(t *testing.T, s *stream) {
	c := s.to.(*conn)
	p := make([]byte, 1+m.random.IntN(100))
	for len(c.in) > 0 || c.eof && !s.seen {
		n, err := c.Read(p)
		s.read += string(p[:n])
		if err == io.EOF {
			s.seen = true
		} else {
			require.NoError(t, err)
		}
	}
	require.Equal(t, s.read, s.written[:len(s.read)])
}
