package system_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// script is a process that does what the functions say, and notes every call.
type script struct {
	name    string
	log     *[]string
	send    func(*system.Step)
	receive func(*system.Step, []system.Message)
	tick    func(*system.Step)
}

func (p *script) note(s *system.Step, format string, args ...any) {
	*p.log = append(*p.log, fmt.Sprintf("%d %s ", s.Round(), p.name)+fmt.Sprintf(format, args...))
}

func (p *script) Send(s *system.Step) {
	text := "send"
	for _, r := range s.Requests() {
		text += fmt.Sprintf(" request %d %v", r.ID, r.Payload)
	}
	p.note(s, "%s", text)
	if p.send != nil {
		p.send(s)
	}
}

func (p *script) Receive(s *system.Step, inbox []system.Message) {
	text := "receive"
	for _, m := range inbox {
		text += fmt.Sprintf(" %s:%v", m.From, m.Payload)
	}
	p.note(s, "%s", text)
	if p.receive != nil {
		p.receive(s, inbox)
	}
}

func (p *script) Tick(s *system.Step) {
	p.note(s, "tick")
	if p.tick != nil {
		p.tick(s)
	}
}

// restarting is a script that can restart.
type restarting struct{ script }

func (p *restarting) Restart(s *system.Step) { p.note(s, "restart") }

// counting is a system of three processes that tell each other the round. Its
// log is that of the last execution.
func counting(log *[]string) *system.System {
	return &system.System{
		Name: "counting", Processes: []string{"a", "b", "c"}, Rounds: 4,
		New: func(name string, _ *rand.Rand) system.Process {
			if name == "a" {
				*log = nil
			}
			return &restarting{script{name: name, log: log, send: func(s *system.Step) {
				s.Broadcast(s.Round())
				s.Fact("sent", s.Round(), "to all")
			}}}
		},
	}
}

func parse(t testing.TB, text string) rounds.Schedule {
	t.Helper()
	s, err := rounds.ParseSchedule(text)
	require.NoError(t, err)
	return s
}

func execute(t testing.TB, s *system.System, schedule string) *recording.Execution {
	t.Helper()
	e, err := s.Run(context.Background(), parse(t, schedule), system.RunOptions{})
	require.NoError(t, err)
	require.NoError(t, e.Validate())
	return e
}

// of returns the calls of one process in the log.
func of(name string, log []string) string {
	var calls []string
	for _, line := range log {
		if strings.Contains(line, " "+name+" ") {
			calls = append(calls, strings.Replace(line, name+" ", "", 1))
		}
	}
	return strings.Join(calls, "; ")
}

func TestFaults(t *testing.T) {
	for _, story := range []struct {
		title, schedule string
		process, calls  string
	}{
		{"every process sends, then every process receives, by sender", "", "b",
			"1 send; 1 receive a:1 c:1; 2 send; 2 receive a:2 c:2; 3 send; 3 receive a:3 c:3; 4 send; 4 receive a:4 c:4"},
		{"an isolated process runs on alone", "isolate b@2..3", "b",
			"1 send; 1 receive a:1 c:1; 2 send; 2 receive; 3 send; 3 receive; 4 send; 4 receive a:4 c:4"},
		{"others do not hear of it", "isolate b@2..3", "a",
			"1 send; 1 receive b:1 c:1; 2 send; 2 receive c:2; 3 send; 3 receive c:3; 4 send; 4 receive b:4 c:4"},
		{"an omission loses one message", "omit a>b@2", "b",
			"1 send; 1 receive a:1 c:1; 2 send; 2 receive c:2; 3 send; 3 receive a:3 c:3; 4 send; 4 receive a:4 c:4"},
		{"a crashed process is not called any more", "crash b@3", "b", "1 send; 1 receive a:1 c:1; 2 send; 2 receive a:2 c:2"},
		{"and sends nothing any more", "crash b@3", "c", "1 send; 1 receive a:1 b:1; 2 send; 2 receive a:2 b:2; 3 send; 3 receive a:3; 4 send; 4 receive a:4"},
		{"until it restarts", "crash b@2; restart b@4", "b", "1 send; 1 receive a:1 c:1; 4 restart; 4 send; 4 receive a:4 c:4"},
		{"also in the round of the crash", "crash b@2; restart b@2", "b",
			"1 send; 1 receive a:1 c:1; 2 restart; 2 send; 2 receive a:2 c:2; 3 send; 3 receive a:3 c:3; 4 send; 4 receive a:4 c:4"},
		{"and again", "crash b@1; restart b@2; crash b@3; restart b@4", "b",
			"2 restart; 2 send; 2 receive a:2 c:2; 4 restart; 4 send; 4 receive a:4 c:4"},
		{"a paused process finds its messages when the pause ends", "pause b@2..3", "b",
			"1 send; 1 receive a:1 c:1; 4 send; 4 receive a:2 c:2 a:3 c:3 a:4 c:4"},
		{"what is lost on the way to it is lost", "pause b@2..3; omit a>b@2; isolate c@3", "b",
			"1 send; 1 receive a:1 c:1; 4 send; 4 receive c:2 a:3 a:4 c:4"},
		{"a pause can last until the end", "pause b@2..4", "b", "1 send; 1 receive a:1 c:1"},
		{"what waits for a process is lost when it crashes", "pause b@2; crash b@3; restart b@4", "b",
			"1 send; 1 receive a:1 c:1; 4 restart; 4 send; 4 receive a:4 c:4"},
		{"a process that restarts in a pause does so when that ends", "crash b@1; restart b@2; pause b@2..3", "b",
			"4 restart; 4 send; 4 receive a:2 c:2 a:3 c:3 a:4 c:4"},
		{"timers tick at the start of a round", "ticks 2; crash b@2; restart b@3; pause b@4", "b",
			"1 tick; 1 tick; 1 send; 1 receive a:1 c:1; 3 restart; 3 tick; 3 tick; 3 send; 3 receive a:3 c:3"},
	} {
		t.Run(story.title, func(t *testing.T) {
			var log []string
			execute(t, counting(&log), story.schedule)
			require.Equal(t, story.calls, of(story.process, log))
		})
	}
}

// Random schedules of all faults: every message that is sent is delivered once,
// or lost, or waits; and the recording says which.
func TestConservation(t *testing.T) {
	var log []string
	s := counting(&log)
	s.Rounds = 8
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		b := s.Bounds(0)
		b.Isolations, b.Omissions, b.Pauses, b.Crashes, b.Restarts, b.Period = 3, 5, rounds.Unlimited, 2, 2, 1+random.IntN(4)
		schedule := schedules.New(b).Random(random)
		var delivered []string
		e, err := s.Run(context.Background(), schedule, system.RunOptions{Transition: func(tr system.Transition) {
			for _, m := range tr.Inbox {
				delivered = append(delivered, fmt.Sprintf("%s>%s %v@%d", m.From, m.To, m.Payload, tr.Round))
			}
		}})
		require.NoError(t, err)
		require.NoError(t, e.Validate())
		var arrived []string
		sent := 0
		for _, m := range e.Messages {
			sent++
			require.Equal(t, fmt.Sprint(m.Round), m.Args[1].Text())
			if arrival := max(m.Round, m.Arrival); !m.Lost && arrival <= s.Rounds {
				arrived = append(arrived, fmt.Sprintf("%s>%s %d@%d", m.From, m.To, m.Round, arrival))
			}
		}
		slices.Sort(delivered)
		slices.Sort(arrived)
		require.Equal(t, arrived, delivered, "under %s", schedule)
		require.Equal(t, 2*strings.Count(strings.Join(log, "\n"), "send"), sent)
	}
}

func TestRequests(t *testing.T) {
	var log []string
	s := counting(&log)
	s.Requests = []system.Request{
		{Round: 1, Process: "b", Payload: "x"}, {Round: 2, Process: "b", Payload: 7}, {Round: 3, Process: "b", Payload: "z", ID: 9}, {Round: 99, Process: "c"},
	}
	execute(t, s, "")
	require.Equal(t, "1 send request 1 x; 1 receive a:1 c:1; 2 send request 2 7; 2 receive a:2 c:2; 3 send request 9 z; 3 receive a:3 c:3; 4 send; 4 receive a:4 c:4", of("b", log))
	execute(t, s, "pause b@1..2")
	require.Equal(t, "3 send request 1 x request 2 7 request 9 z; 3 receive a:1 c:1 a:2 c:2 a:3 c:3; 4 send; 4 receive a:4 c:4", of("b", log), "requests wait for the end of a pause")
	execute(t, s, "crash b@1; pause b@1..2; restart b@3")
	require.NotContains(t, of("b", log), "request 2 7", "but not if it has crashed")
	e := execute(t, s, "crash b@2; restart b@3")
	require.Equal(t, "1 send request 1 x; 1 receive a:1 c:1; 3 restart; 3 send request 9 z; 3 receive a:3 c:3; 4 send; 4 receive a:4 c:4", of("b", log), "and are lost at a process that has crashed")
	require.Equal(t, []string{`request("b", 1, "x")@1`, `request("b", 9, "z")@3`}, facts(e, "request"))
}

// facts returns the facts of a relation as texts.
func facts(e *recording.Execution, relation string) []string {
	var texts []string
	for _, f := range e.Facts {
		if f.Relation == relation {
			texts = append(texts, f.String())
		}
	}
	return texts
}

// gossip passes on the greatest number that it has heard of.
type gossip struct{ value int }

func (g *gossip) Send(s *system.Step) { s.Broadcast(g.value) }
func (g *gossip) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		g.value = max(g.value, m.Payload.(int))
	}
	s.Fact("value", g.value)
}

var gossips = &system.System{
	Name: "gossip", Processes: []string{"a", "b", "c"}, Rounds: 3,
	New: func(string, *rand.Rand) system.Process { return &gossip{} },
}

// A recording stays as it is when the runner goes on, also with executions of which
// only facts are recorded.
func TestRecordingStays(t *testing.T) {
	r := gossips.NewRunner()
	for seed := range uint64(4) {
		r.Options = system.RunOptions{Record: true}
		require.NoError(t, r.Run(t.Context(), rounds.Schedule{Settings: rounds.Settings{Seed: rounds.Set(seed)}}))
		kept := r.Execution()
		want := fmt.Sprint(kept.Facts, kept.Messages)
		r.Options = system.RunOptions{Record: true, FactsOnly: true}
		for range 2 {
			require.NoError(t, r.Run(t.Context(), rounds.Schedule{Faults: []rounds.Fault{{Kind: rounds.Crash, Process: gossips.Processes[0], Round: 2}}}))
			require.Equal(t, want, fmt.Sprint(kept.Facts, kept.Messages))
		}
	}
}
