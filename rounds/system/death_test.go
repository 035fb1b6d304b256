package system_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// mortal is a script that is told how it ends, and can come back.
type mortal struct {
	script
	ended *[]string
}

func (p *mortal) Crash()                 { *p.ended = append(*p.ended, p.name) }
func (p *mortal) Restart(s *system.Step) { s.Fact("back") }

// deaths returns a system whose process b dies in the calls of rounds that say so.
func deaths(ended *[]string, send, receive int) *system.System {
	var log []string
	return &system.System{
		Name: "deaths", Processes: []string{"a", "b", "c"}, Rounds: 5,
		New: func(name string, _ *rand.Rand) system.Process {
			p := &mortal{ended: ended}
			die := func(s *system.Step, round int) {
				if name == "b" && s.Round() == round {
					s.Died(system.PanicError{Value: errors.New("oh"), Stack: []string{"f at b/b.go:1"}})
				}
			}
			p.script = script{name: name, log: &log,
				send:    func(s *system.Step) { s.Broadcast(s.Round()); die(s, send) },
				receive: func(s *system.Step, m []system.Message) { s.Fact("heard", len(m)); die(s, receive) },
			}
			return p
		},
	}
}

// A process that dies takes part in its round and in nothing after that, the others go
// on to the end, and the execution says how it died first.
func TestDeath(t *testing.T) {
	for _, story := range []struct {
		send, receive int
		schedule      string
		ended, heard  string // who is told of its end; what b, and then a, hears in each round
		call          string
	}{
		{2, 0, "", "b", "b1 b2 a1 a2 a3 a4 a5", "round 2, in Send"},
		{0, 2, "", "b", "b1 b2 a1 a2 a3 a4 a5", "round 2, in Receive"},
		{2, 2, "", "b", "b1 b2 a1 a2 a3 a4 a5", "round 2, in Send"},
		{2, 0, "crash b@4; restart b@5", "b b", "b1 b2 b5 a1 a2 a3 a4 a5", "round 2, in Send"},
		{5, 0, "", "b", "b1 b2 b3 b4 b5 a1 a2 a3 a4 a5", "round 5, in Send"},
		{2, 0, "crash b@2", "b", "b1 a1 a2 a3 a4 a5", ""},
		{3, 0, "pause b@2..3", "", "b1 b4 b5 a1 a2 a3 a4 a5", ""},
	} {
		var ended []string
		r := deaths(&ended, story.send, story.receive).NewRunner()
		r.Options.Record = true
		err := r.Run(t.Context(), parse(t, story.schedule))
		if story.call == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, story.call+": panic at b/b.go:1: oh")
			var panicked *system.PanicError
			require.ErrorAs(t, err, &panicked)
			require.True(t, panicked.Alone)
		}
		var heard []string
		for _, name := range []string{"b", "a"} {
			for _, f := range r.Execution().Facts {
				if f.Relation == "heard" && f.Args[0].Text() == name {
					heard = append(heard, name+string(rune('0'+f.Round)))
				}
			}
		}
		require.Equal(t, story.heard, strings.Join(heard, " "), story.schedule)
		require.Equal(t, story.ended, strings.Join(ended, " "), story.schedule)
		require.NoError(t, r.Execution().Validate())
		require.Equal(t, err, r.Run(t.Context(), parse(t, story.schedule)), "the next execution is as the first")
	}
}

// Where a process hangs, nobody waits for others that do, too: the execution ends with the
// round.
func TestAHangEndsTheExecution(t *testing.T) {
	last := 0
	var log []string
	s := &system.System{Name: "hangs", Processes: []string{"a", "b"}, Rounds: 5, New: func(name string, _ *rand.Rand) system.Process {
		return &script{name: name, log: &log, send: func(s *system.Step) {
			if last = s.Round(); name == "a" && last == 2 {
				s.Died(system.PanicError{Hangs: true, Text: "it runs for ever"})
			}
		}}
	}}
	_, err := s.Run(t.Context(), rounds.Schedule{}, system.RunOptions{})
	var hang *system.PanicError
	require.ErrorAs(t, err, &hang)
	require.True(t, hang.Hangs)
	require.Equal(t, 2, last)
}

// slow takes an hour to send.
type slow struct {
	script
	machine system.Machine
}

func (p *slow) Machine() system.Machine { return p.machine }

// A process that watches itself may take as long as it does.
func TestAProcessWatchesItself(t *testing.T) {
	for _, watches := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			var log []string
			calls, done := &execution.CallWatch{}, make(chan struct{})
			s := &system.System{Name: "slow", Processes: []string{"a", "b"}, Rounds: 2, Calls: calls, New: func(name string, _ *rand.Rand) system.Process {
				return &slow{script{name: name, log: &log, send: func(*system.Step) { time.Sleep(time.Hour) }}, system.Machine{Watches: watches}}
			}}
			go func() {
				defer close(done)
				_, _ = s.Run(context.Background(), rounds.Schedule{}, system.RunOptions{})
			}()
			require.Equal(t, watches, calls.Wait(done, time.Minute) == nil)
			<-done
		})
	}
}
