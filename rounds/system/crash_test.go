package system_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// pointed is a script that comes to a point in the middle of every call.
type pointed struct {
	restarting
	points []string
}

func (p *pointed) CrashPoints() []string { return p.points }

func (p *pointed) Restart(s *system.Step) {
	p.note(s, "restart")
	s.Fact("restarting")
	s.At("restarting")
	p.note(s, "restarted")
	s.Fact("restarted")
}

// points returns the system counting whose processes come to points.
func points(log *[]string) *system.System {
	s := counting(log)
	s.Name, s.MinTicks = "points", 1
	s.New = func(name string, _ *rand.Rand) system.Process {
		if name == "a" {
			*log = nil
		}
		p := &pointed{points: []string{"restarting", "ticking", "sending", "receiving", "never"}}
		p.script = script{name: name, log: log,
			tick: func(s *system.Step) {
				s.Send("b", fmt.Sprint("t", s.Round()))
				s.At("ticking")
				p.note(s, "ticked")
			},
			send: func(s *system.Step) {
				s.Fact("sending")
				s.Broadcast(s.Round())
				s.At("sending")
				p.note(s, "sent")
				s.Broadcast("more")
				s.Fact("sent")
			},
			receive: func(s *system.Step, _ []system.Message) {
				s.Fact("receiving")
				s.At("receiving")
				p.note(s, "received")
				s.Fact("received")
			},
		}
		return p
	}
	return s
}

// What a process did before the point where it crashes stands, and nothing after it
// happens.
func TestCrashPoints(t *testing.T) {
	const whole = "tick; ticked; send; sent; receive a:t1 a:1 a:more b:t1 c:t1 c:1 c:more; received"
	for _, story := range []struct {
		schedule, calls, facts string
		heard                  string // by c in the round of the crash
	}{
		{"crash b@1/ticking", "tick", "", "a:1 a:more"},
		{"crash b@1/sending", "tick; ticked; send", "sending", "a:1 a:more b:1"},
		{"crash b@1/receiving", strings.TrimSuffix(whole, "; received"), "receiving sending sent", "a:1 a:more b:1 b:more"},
		{"crash b@1/never", whole, "received receiving sending sent", "a:1 a:more b:1 b:more"},
		{"crash b@1/restarting", whole, "received receiving sending sent", "a:1 a:more b:1 b:more"},
		{"crash b@1; restart b@1; crash b@1/restarting", "restart", "restarting", "a:1 a:more"},
		{"pause b@1; crash b@1/sending", "", "", "a:1 a:more"},
	} {
		t.Run(story.schedule, func(t *testing.T) {
			var log []string
			e := execute(t, points(&log), story.schedule)
			var calls, reported []string
			for _, line := range log {
				if call, ok := strings.CutPrefix(line, "1 b "); ok {
					calls = append(calls, call)
				}
				require.False(t, strings.Contains(line, " b ") && !strings.HasPrefix(line, "1 "), "b is called after its crash: %s", line)
			}
			for _, f := range e.Facts {
				if f.Args[0].Text() == "b" {
					reported = append(reported, f.Relation)
				}
			}
			require.Equal(t, story.calls, strings.Join(calls, "; "))
			require.Equal(t, story.facts, strings.Join(reported, " "))
			require.Contains(t, strings.Join(log, "\n"), "1 c receive "+story.heard+"\n")
		})
	}
}

// What is sent to a process that does not come to receive it is lost with its
// crash; what waits for it as well.
func TestCrashPointLoses(t *testing.T) {
	for schedule, want := range map[string]string{
		"crash b@2/ticking":                         "a>b by crash b@2/ticking; b>b by crash b@2/ticking; c>b by crash b@2/ticking",
		"crash b@2/receiving":                       "",
		"crash b@2/never":                           "",
		"pause b@2; crash b@2/never":                "a>b by crash b@2/never; c>b by crash b@2/never",
		"pause b@1; crash b@2/ticking":              "a>b by crash b@2/ticking; b>b by crash b@2/ticking; c>b by crash b@2/ticking",
		"isolate a@2; crash b@2/ticking":            "a>b by crash b@2/ticking; a>c by isolate a@2; b>b by crash b@2/ticking; c>a by isolate a@2; c>b by crash b@2/ticking",
		"isolate a@2; crash b@2/receiving":          "a>b by isolate a@2; a>c by isolate a@2; b>a by isolate a@2; c>a by isolate a@2",
		"crash b@1; restart b@2; crash b@2/ticking": "a>b by crash b@2/ticking; b>b by crash b@2/ticking; c>b by crash b@2/ticking",
	} {
		var log []string
		lost := map[string]bool{}
		for _, m := range execute(t, points(&log), schedule).Messages {
			if m.Lost && m.Round == 2 || m.Lost && strings.HasPrefix(schedule, "pause b@1;") && m.Round == 1 {
				lost[fmt.Sprintf("%s>%s by %s", m.From, m.To, m.Cause)] = true
			}
		}
		require.Equal(t, want, strings.Join(slices.Sorted(maps.Keys(lost)), "; "), schedule)
	}
}

// A restart comes in a later round than a crash at a point, and the process has
// what it had done until then.
func TestRestartAfterPoint(t *testing.T) {
	var log []string
	execute(t, points(&log), "crash b@1/sending; restart b@2; crash b@2/restarting; restart b@4")
	require.Equal(t, "1 tick; 1 ticked; 1 send; 2 restart; 4 restart; 4 restarted; 4 tick; 4 ticked; 4 send; 4 sent; 4 receive a:t4 a:4 a:more b:t4 c:t4 c:4 c:more; 4 received", of("b", log))
}

func TestWrongPoints(t *testing.T) {
	var log []string
	for _, wrong := range []struct {
		points   []string
		schedule string
		message  string
	}{
		{[]string{"a b"}, "", `process a, before the first round, in CrashPoints: the crash point "a b" has no name that a schedule could have`},
		{[]string{""}, "", `the crash point "" has no name`},
		{[]string{"a/b"}, "", `the crash point "a/b" has no name`},
		{[]string{"x", "torn"}, "", `the crash point "torn" has the name of what a disk keeps`},
		{[]string{"x", "x"}, "", `it declares the crash point "x" twice`},
		{[]string{"ticking"}, "", `process a, round 1, in Send: it comes to the crash point "sending", which it does not declare: its points are ticking`},
		{[]string{"ticking", "sendin"}, "", `which it does not declare (did you mean "sendin"?): its points are ticking, sendin`},
		{nil, "", `it comes to the crash point "ticking", but declares none: give it a method CrashPoints() []string (system.Crashable)`},
		{[]string{"persisted", "x"}, "crash b@1/presisted", `crash b@1/presisted`},
	} {
		s := points(&log)
		make := s.New
		s.New = func(name string, random *rand.Rand) system.Process {
			p := make(name, random).(*pointed)
			p.points = wrong.points
			return p
		}
		_, err := s.Run(t.Context(), parse(t, wrong.schedule), system.RunOptions{})
		require.ErrorContains(t, err, wrong.message)
	}
	s := points(&log)
	made := 0
	make := s.New
	s.New = func(name string, random *rand.Rand) system.Process {
		p := make(name, random).(*pointed)
		if made++; made > 3 {
			p.points = p.points[1:]
		}
		return p
	}
	r := s.NewRunner()
	require.NoError(t, r.Run(t.Context(), rounds.Schedule{}))
	require.ErrorContains(t, r.Run(t.Context(), rounds.Schedule{}), `it declares the crash points ["ticking" "sending" "receiving" "never"], and declared ["restarting" `)
}

// A process that does not end at its crash is found out.
func TestGoesOnAfterCrash(t *testing.T) {
	var log []string
	for message, send := range map[string]func(s *system.Step){
		`process b, round 1, in Send: it has to end where it crashes, at "sending", but goes on: code of it recovers the panic`: func(s *system.Step) {
			defer func() { _ = recover() }()
			s.At("sending")
		},
		`panics then, in a deferred function: oh: the process crashes at "sending"`: func(s *system.Step) {
			defer func() {
				if r := recover(); r != nil {
					panic(fmt.Sprint("oh: ", r))
				}
			}()
			s.At("sending")
		},
		`sends or reports something then, in a deferred function`: func(s *system.Step) {
			defer s.Fact("x")
			s.At("sending")
		},
		`in Send: it has to end where it crashes, at "sending", but sends or`: func(s *system.Step) {
			defer s.Broadcast("x")
			s.At("sending")
		},
	} {
		s := points(&log)
		make := s.New
		s.New = func(name string, random *rand.Rand) system.Process {
			p := make(name, random).(*pointed)
			p.send = send
			return p
		}
		_, err := s.Run(t.Context(), parse(t, "crash b@1/sending"), system.RunOptions{})
		require.ErrorContains(t, err, message)
		_, err = s.Run(t.Context(), parse(t, "crash b@1/ticking"), system.RunOptions{})
		require.NoError(t, err)
	}
}
