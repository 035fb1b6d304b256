package virtual_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// run executes a system under a schedule.
func run(t *testing.T, s *system.System, schedule string) *recording.Execution {
	t.Helper()
	parsed, err := rounds.ParseSchedule(schedule)
	require.NoError(t, err)
	e, err := s.Run(t.Context(), parsed, system.RunOptions{})
	require.NoError(t, err)
	return e
}

// facts returns what an execution has of a relation.
func facts(e *recording.Execution, relation string) string {
	var all []string
	for _, f := range e.Facts {
		if f.Relation == relation {
			all = append(all, strings.TrimPrefix(f.String(), relation))
		}
	}
	return strings.Join(all, " ")
}

// clock is a server that ticks once a round, in a goroutine of its own.
type clock struct {
	began time.Time
	ticks chan int
	stop  chan struct{}
	last  int
}

func startClock(m *virtual.Machine) (virtual.Server, error) {
	c := &clock{began: time.Now(), ticks: make(chan int, 100), stop: make(chan struct{})}
	go func() {
		ticker := time.NewTicker(10 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				c.ticks <- 1
			case <-c.stop:
				return
			}
		}
	}()
	m.Fact("started")
	return c, nil
}

func (c *clock) Report(m *virtual.Machine) {
	for len(c.ticks) > 0 {
		c.last += <-c.ticks
	}
	m.Fact("ticks", c.last)
	m.Fact("time", time.Since(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)).Milliseconds())
}

func (c *clock) Stop() { close(c.stop) }

func clocks() *system.System {
	return &system.System{Name: "clocks", Processes: []string{"a"}, Rounds: 6, New: virtual.New(virtual.Options{Start: startClock})}
}

// The clock of a machine goes on by a tick in each round. It stands still in a pause,
// and goes on while the machine is down.
func TestClock(t *testing.T) {
	for _, story := range []struct{ schedule, started, ticks, time string }{
		{"", `("a")@1`, `("a", 1)@1 ("a", 2)@2 ("a", 3)@3 ("a", 4)@4 ("a", 5)@5 ("a", 6)@6`, `("a", 10)@1 ("a", 20)@2 ("a", 30)@3 ("a", 40)@4 ("a", 50)@5 ("a", 60)@6`},
		{"pause a@2..4", `("a")@1`, `("a", 1)@1 ("a", 2)@5 ("a", 3)@6`, `("a", 10)@1 ("a", 20)@5 ("a", 30)@6`},
		{"crash a@3; restart a@5", `("a")@1 ("a")@5`, `("a", 1)@1 ("a", 2)@2 ("a", 1)@5 ("a", 2)@6`, `("a", 10)@1 ("a", 20)@2 ("a", 50)@5 ("a", 60)@6`},
		{"fast a@2..3", `("a")@1`, `("a", 1)@1 ("a", 2)@2 ("a", 3)@3 ("a", 4)@4 ("a", 5)@5 ("a", 6)@6`, `("a", 10)@1 ("a", 21)@2 ("a", 32)@3 ("a", 42)@4 ("a", 52)@5 ("a", 62)@6`},
		{"slow a@2..3", `("a")@1`, `("a", 1)@1 ("a", 1)@2 ("a", 2)@3 ("a", 3)@4 ("a", 4)@5 ("a", 5)@6`, `("a", 10)@1 ("a", 19)@2 ("a", 28)@3 ("a", 38)@4 ("a", 48)@5 ("a", 58)@6`},
		{"jump a@3+5", `("a")@1`, `("a", 1)@1 ("a", 2)@2 ("a", 8)@3 ("a", 9)@4 ("a", 10)@5 ("a", 11)@6`, `("a", 10)@1 ("a", 20)@2 ("a", 80)@3 ("a", 90)@4 ("a", 100)@5 ("a", 110)@6`},
		{"crash a@1", "", "", ""},
		{"crash a@1; restart a@6", `("a")@6`, `("a", 1)@6`, `("a", 60)@6`},
		{"crash a@2; restart a@2", `("a")@1 ("a")@2`, `("a", 1)@1 ("a", 1)@2 ("a", 2)@3 ("a", 3)@4 ("a", 4)@5 ("a", 5)@6`, `("a", 10)@1 ("a", 20)@2 ("a", 30)@3 ("a", 40)@4 ("a", 50)@5 ("a", 60)@6`},
	} {
		e := run(t, clocks(), story.schedule)
		require.Equal(t, story.started, facts(e, "started"), story.schedule)
		require.Equal(t, story.ticks, facts(e, "ticks"), story.schedule)
		require.Equal(t, story.time, facts(e, "time"), story.schedule)
	}
}

// A search finds that a value is lost with the datagram, which is not sent again; and
// no goroutine is left of it.
func TestSearch(t *testing.T) {
	before := runtime.NumGoroutine()
	s := Registers()
	s.Properties = append(s.Properties, rules.New("everywhere", `
		pre(X)  :- request(_, _, X, _).
		post(X) :- stored("b", X, N), stored("c", X, N), eot(N).`))
	answer, err := search.Run(t.Context(), s, search.Options{Bounds: rounds.Bounds{Processes: s.Processes, EOT: 3, Omissions: 1}})
	require.NoError(t, err)
	require.Equal(t, result.Violated, answer.Verdict)
	require.Contains(t, []string{"omit a>b@1", "omit a>c@1"}, answer.First().Schedule.String())
	for range 1000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	require.LessOrEqual(t, runtime.NumGoroutine(), before)
}

// A host serves it as any other system.
func TestHost(t *testing.T) {
	var out strings.Builder
	in := `{"id":1,"do":"hello","version":1}` + "\n" + `{"id":2,"do":"run","system":"registers","schedule":"omit a>b@1","recording":"always"}` + "\n"
	require.NoError(t, wire.ServeOn(strings.NewReader(in), &out, Registers()))
	require.Contains(t, out.String(), `"lost":"omit a>b@1"`)
}

func parse(t *testing.T, schedule string) rounds.Schedule {
	t.Helper()
	parsed, err := rounds.ParseSchedule(schedule)
	require.NoError(t, err)
	return parsed
}
