package memberlist_test

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	lib "github.com/hashicorp/memberlist"
	"github.com/lineage-driven/ldfi/adapters/memberlist"
	"github.com/lineage-driven/ldfi/ldfi/ldfitest"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

var long = flag.Int("long", 10, "execute so many schedules")

var (
	abc  = []string{"a", "b", "c"}
	abcd = []string{"a", "b", "c", "d"}
)

// Whatever isolations, partitions, crashes, restarts and pauses happen: views converge,
// joins complete, and the dead stay dead.
func TestMembers(t *testing.T) {
	s := memberlist.System(abcd, nil)
	s.Requests = []system.Request{{Round: 300, Process: "b", Payload: memberlist.Leave{}}}
	ldfitest.Run(t, s, ldfitest.Executions(*long), ldfitest.Bounds(rounds.Bounds{
		Isolations: 3, Partitions: 1, Crashes: 2, Restarts: 1, Pauses: 1, Period: 50, EFF: 250,
	}))
}

// What schedules do to the view that a has of c.
func TestView(t *testing.T) {
	for schedule, want := range map[string]string{
		"":                             "alive",
		"crash c@100":                  "alive suspect dead",
		"crash c@100; restart c@200":   "alive suspect dead alive",
		"isolate c@50..60":             "alive( suspect alive)?",
		"isolate c@50..150":            "alive suspect dead alive",
		"crash b@20; isolate c@1..150": "alive",
	} {
		t.Run(schedule, func(t *testing.T) {
			s := memberlist.System(abc, nil)
			e := execute(t, s, schedule)
			var states []string
			for _, f := range e.Facts {
				if f.Relation == "member" && f.Args[0].Text() == "a" && f.Args[1].Text() == "c" && (len(states) == 0 || states[len(states)-1] != f.Args[2].Text()) {
					states = append(states, f.Args[2].Text())
				}
			}
			require.Regexp(t, "^"+want+"$", strings.Join(states, " "))
			require.Empty(t, broken(t, s, e))
		})
	}
}

// Who leaves is left, and nobody wants it back.
func TestLeave(t *testing.T) {
	s := memberlist.System(abc, nil)
	s.Requests = []system.Request{{Round: 50, Process: "c", Payload: memberlist.Leave{}}}
	e := execute(t, s, "")
	require.Contains(t, texts(e), `reply("c", 1, "left")@5`)
	require.Contains(t, texts(e), `member("a", "c", "left")@60`)
	require.Contains(t, texts(e), `member("b", "c", "left")@300`)
}

// A member that restarts and leaves at once, but goes on to answer, is held for alive for
// good: its farewell has the incarnation of a newcomer, which others take for old news.
// If it is shut down, others notice that it is gone.
func TestLeaveTooSoon(t *testing.T) {
	for leave, want := range map[memberlist.Leave]string{
		{}:           "",
		{Stay: true}: "views converge: a holds b for alive in round 600, but it has left\nviews converge: c holds b for alive in round 600, but it has left",
	} {
		s := memberlist.System(abc, nil)
		s.Requests = []system.Request{{Round: 300, Process: "b", Payload: leave}}
		require.Equal(t, want, broken(t, s, execute(t, s, "isolate b@51..150; crash b@297; restart b@299")))
	}
}

// Mistakes of those who use the library break what should hold, and are told. With -args
// -long 100 they are searched, too.
func TestMistakes(t *testing.T) {
	for name, c := range map[string]struct {
		configure func(*lib.Config)
		with      []memberlist.Option
		schedule  string
		property  string
		text      string
		bounds    rounds.Bounds
	}{
		"it joins once": {
			nil, []memberlist.Option{memberlist.Once()}, "isolate c@1..240",
			"joins complete", "c has not joined the others by round 600",
			rounds.Bounds{Isolations: 1, Period: 150, EFF: 250},
		},
		"it joins nobody again": {
			nil, []memberlist.Option{memberlist.Once()}, "isolate b@51..250",
			"views converge", "a holds b for nobody in round 600, but it is up",
			rounds.Bounds{Isolations: 1, Period: 150, EFF: 250},
		},
		"who was dead is never alive again": {
			stubborn, nil, "crash c@110; restart c@200",
			"views converge", "a holds c for nobody in round 600, but it is up",
			rounds.Bounds{Crashes: 1, Restarts: 1, EFF: 250},
		},
		"a packet arrives once more": {
			repeating, nil, "crash c@100",
			"the dead stay dead", "c, which has crashed, was alive for nobody in ",
			rounds.Bounds{Crashes: 1, EFF: 250},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := memberlist.System(abc, c.configure, c.with...)
			require.Contains(t, broken(t, s, execute(t, s, c.schedule)), c.property+": "+c.text)
			if *long < 100 {
				return
			}
			s.Fixed = true
			r, err := search.Run(t.Context(), s, search.Options{Executions: *long, Bounds: c.bounds})
			require.NoError(t, err)
			require.Equal(t, result.Violated, r.Verdict)
			t.Log(r.First().Schedule, r.First().Violations)
		})
	}
}

// broken returns what an execution violates.
func broken(t *testing.T, s *system.System, e *recording.Execution) string {
	t.Helper()
	var all []string
	for _, p := range s.Properties {
		violations, err := p.Check(e)
		require.NoError(t, err)
		for _, v := range violations {
			all = append(all, p.Name+": "+v.Text)
		}
	}
	return strings.Join(all, "\n")
}

// stubborn takes nobody back who was dead.
func stubborn(c *lib.Config) {
	g := &grave{dead: map[string]bool{}}
	c.Alive, c.Events = g, g
}

type grave struct {
	mutex sync.Mutex
	dead  map[string]bool
}

func (g *grave) NotifyAlive(n *lib.Node) error {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.dead[n.Name] {
		return errors.New("it is dead")
	}
	return nil
}

func (g *grave) NotifyLeave(n *lib.Node) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.dead[n.Name] = true
}

func (*grave) NotifyJoin(*lib.Node)   {}
func (*grave) NotifyUpdate(*lib.Node) {}

// repeating sends what it says of c once more after 45 seconds, when others may have
// forgotten that c is dead.
func repeating(c *lib.Config) {
	c.GossipToTheDeadTime = 2 * time.Second
	c.Transport = &repeater{NodeAwareTransport: c.Transport.(lib.NodeAwareTransport)}
}

type repeater struct{ lib.NodeAwareTransport }

func (r *repeater) WriteToAddress(b []byte, to lib.Address) (time.Time, error) {
	if strings.Contains(string(b), "Node\xa1c") && strings.Contains(string(b), "Vsn") {
		again := append([]byte(nil), b...)
		time.AfterFunc(45*time.Second, func() { r.NodeAwareTransport.WriteToAddress(again, to) })
	}
	return r.NodeAwareTransport.WriteToAddress(b, to)
}

// The same schedule gives the same recording, with the overlay: also after others. With
// -args -long 1000 that is tried 1,000 times.
func TestExact(t *testing.T) {
	s := memberlist.System(abc, nil)
	want := execute(t, s, "seed 3; crash c@100; restart c@220; isolate a@51..250")
	if want.Inexact != "" {
		t.Skip("executions may differ: ", want.Inexact)
	}
	for i := range *long {
		if i%10 == 0 {
			execute(t, s, fmt.Sprintf("seed %d; crash b@%d", i, 20+i%200))
		}
		require.Equal(t, written(t, want), written(t, execute(t, s, want.Schedule.String())))
	}
	t.Logf("%x", sha256.Sum256([]byte(written(t, want))))
}

func written(t *testing.T, e *recording.Execution) string {
	t.Helper()
	text, err := json.Marshal(e)
	require.NoError(t, err)
	return string(text)
}

func execute(t *testing.T, s *system.System, schedule string) *recording.Execution {
	t.Helper()
	parsed, err := rounds.ParseSchedule(schedule)
	require.NoError(t, err)
	e, err := s.Run(t.Context(), parsed, system.RunOptions{})
	require.NoError(t, err)
	return e
}

func texts(e *recording.Execution) string {
	var all []string
	for _, f := range e.Facts {
		all = append(all, f.String())
	}
	return strings.Join(all, "\n")
}

// Every packet of an execution in which much happens can be read.
func TestText(t *testing.T) {
	s := memberlist.System(abc, nil)
	schedule, err := rounds.ParseSchedule("crash c@100; restart c@250; isolate a@51..90")
	require.NoError(t, err)
	e, err := s.Run(t.Context(), schedule, system.RunOptions{})
	require.NoError(t, err)
	var said strings.Builder
	for _, m := range e.Messages {
		require.NotContains(t, m.Args[1].Text(), "bytes", "%s", m)
		said.WriteString(m.Args[1].Text() + "\n")
	}
	for _, want := range []string{"ping b 1\n", "ack 1\n", "push-pull join a/1 alive", "suspect c/1 by ", "indirect-ping ", "dead c/1 by "} {
		require.Contains(t, said.String(), want)
	}
}
