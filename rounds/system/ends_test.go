package system_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// engine is a process with a goroutine, which runs until the process crashes, and
// again when it restarts.
type engine struct {
	ends  *ends
	name  string
	stop  chan struct{}
	value int
	wrong map[string]func(*system.Step) // by call
}

// ends counts what engines are told.
type ends struct {
	made, crashed, closed, running atomic.Int64
	log                            []string
}

func (e *ends) system(wrong map[string]func(*system.Step)) *system.System {
	return &system.System{
		Name: "engines", Processes: []string{"a", "b", "c"}, Rounds: 5, MinTicks: 1, Durable: []string{"value"},
		New: func(name string, _ *rand.Rand) system.Process {
			p := &engine{ends: e, name: name, wrong: wrong}
			p.goes("New", nil)
			e.made.Add(1)
			p.start()
			return p
		},
	}
}

func (p *engine) start() {
	stop := make(chan struct{})
	p.stop = stop
	p.ends.running.Add(1)
	go func() {
		<-stop
		p.ends.running.Add(-1)
	}()
}

func (p *engine) end() {
	if p.stop != nil {
		close(p.stop)
		p.stop = nil
	}
}

func (p *engine) goes(call string, s *system.Step) {
	if p.name == "b" && p.wrong[call] != nil {
		p.wrong[call](s)
	}
}

func (p *engine) Crash() {
	p.ends.crashed.Add(1)
	p.ends.log = append(p.ends.log, "crash "+p.name)
	p.end()
	p.goes("Crash", nil)
}

func (p *engine) Close() {
	p.ends.closed.Add(1)
	p.ends.log = append(p.ends.log, "close "+p.name)
	p.end()
	p.goes("Close", nil)
}

func (p *engine) Restart(s *system.Step) {
	p.ends.log = append(p.ends.log, fmt.Sprintf("restart %s@%d", p.name, s.Round()))
	p.start()
	s.Fact("value", p.value)
	p.goes("Restart", s)
}

func (*engine) CrashPoints() []string { return []string{"early", "late", "never"} }
func (p *engine) Tick(s *system.Step) { p.goes("Tick", s) }
func (p *engine) Send(s *system.Step) {
	s.Broadcast(p.value)
	s.At("early")
	p.goes("Send", s)
}

func (p *engine) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		p.value = max(p.value, m.Payload.(int)+1)
	}
	s.Fact("value", p.value)
	s.At("late")
	p.goes("Receive", s)
}

func (p *engine) Fingerprint() string  { return fmt.Sprint(p.value) }
func (p *engine) Snapshot() any        { return p.value }
func (p *engine) Restore(snapshot any) { p.value = snapshot.(int) }

// over checks that everything that was made was closed, and no goroutine is left.
func (e *ends) over(t *testing.T) {
	t.Helper()
	require.Equal(t, e.made.Load(), e.closed.Load(), "each process that was made is closed, once")
	eventually(t, func() bool { return e.running.Load() == 0 })
}

// eventually waits for something in this goroutine: it may count goroutines.
func eventually(t *testing.T, true func() bool) {
	t.Helper()
	for range 5000 {
		if true() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("goroutines are left")
}

// A process is told of each crash when it crashes, and once that its execution is
// over.
func TestEnds(t *testing.T) {
	for schedule, want := range map[string]string{
		"":                       "[close a close b close c]",
		"crash b@2":              "[crash b close a close b close c]",
		"crash b@2; restart b@2": "[crash b restart b@2 close a close b close c]",
		"crash b@2/early; restart b@4; crash b@4/late; crash a@1": "[crash a crash b restart b@4 crash b close a close b close c]",
		"pause b@2; crash b@2/early":                              "[crash b close a close b close c]",
		"crash b@5/never; crash c@5":                              "[crash c crash b close a close b close c]",
	} {
		e := &ends{}
		execute(t, e.system(nil), schedule)
		require.Equal(t, want, fmt.Sprint(e.log), schedule)
		e.over(t)
	}
}

// However an execution ends, its processes are closed, and a runner that is used
// again closes them each time.
func TestEndsWhateverHappens(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	for _, end := range []struct {
		call    string
		wrong   func(*system.Step)
		message string
	}{
		{"Nothing", nil, ""},
		{"New", func(*system.Step) { panic("oh") }, "process b, before the first round, in New: panic at "},
		{"Tick", func(*system.Step) { panic("oh") }, "process b, round 1, in Tick: panic at "},
		{"Send", func(*system.Step) { panic("oh") }, "process b, round 1, in Send: panic at "},
		{"Send", func(s *system.Step) { s.Send("x", 1) }, "process b, round 1, in Send: it sends a message to \"x\""},
		{"Receive", func(*system.Step) { panic("oh") }, "process b, round 1, in Receive: panic at "},
		{"Receive", func(*system.Step) { cancel() }, "stopped before round 2: context canceled"},
		{"Crash", func(*system.Step) { panic("oh") }, "process b, round 3, in Crash: panic at "},
		{"Restart", func(*system.Step) { panic("oh") }, "process b, round 4, in Restart: panic at "},
		{"Close", func(*system.Step) { panic("oh") }, "process b, round 5, in Close: panic at "},
	} {
		e := &ends{}
		r := e.system(map[string]func(*system.Step){end.call: end.wrong}).NewRunner()
		for range 50 {
			err := r.Run(cancelled, parse(t, "crash b@3/late; restart b@4"))
			if end.message == "" {
				require.NoError(t, err)
				continue
			}
			require.ErrorContains(t, err, end.message)
			if end.call == "Receive" && cancelled.Err() != nil {
				cancelled, cancel = context.WithCancel(context.Background())
			}
		}
		e.over(t)
	}
	cancel()
	e := &ends{}
	require.ErrorContains(t, e.system(nil).NewRunner().Run(context.Background(), parse(t, "crash b@3/x")), "b is to crash at \"x\", which it does not declare: its points are early, late, never")
	e.over(t)
}

// What is sent or reported while a process crashes or is closed is refused.
func TestEndsAreNoPlaceToSend(t *testing.T) {
	var kept *system.Step
	keep := func(s *system.Step) { kept = s }
	for _, call := range []string{"Crash", "Close"} {
		for message, act := range map[string]func(*system.Step){
			"in " + call + ": it sends or reports something": func(*system.Step) { kept.Fact("x") },
			"in " + call + ": the message message to a":      func(*system.Step) { kept.Send("a", 1) },
			"in " + call + ": it comes to the crash point":   func(*system.Step) { kept.At("early") },
		} {
			e := &ends{}
			_, err := e.system(map[string]func(*system.Step){"Send": keep, call: act}).Run(t.Context(), parse(t, "crash b@3"), system.RunOptions{})
			require.ErrorContains(t, err, message)
			e.over(t)
		}
	}
}

// No goroutine is left of executions, of single steps and of self-tests.
func TestNoGoroutineIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	e := &ends{}
	s := e.system(nil)
	r := s.NewRunner()
	for i := range 1000 {
		schedule := fmt.Sprintf("crash a@%d/early; restart a@%d; crash c@%d", i%4+1, i%4+2, i%5+1)
		require.NoError(t, r.Run(t.Context(), parse(t, schedule)))
	}
	e.over(t)

	local, err := s.NewLocal(0, rounds.Settings{})
	require.NoError(t, err)
	for i := range 100 {
		state, err := local.Start(i % 3)
		require.NoError(t, err)
		_, err = local.Crash(i%3, 1, state)
		require.NoError(t, err)
	}
	require.NoError(t, local.Close())
	e.over(t)

	for _, check := range []func(context.Context, int, uint64) error{s.CheckDeterminism, s.CheckState, s.CheckDurability} {
		require.NoError(t, check(t.Context(), 50, 1))
	}
	_, err = s.Abilities()
	require.NoError(t, err)
	require.False(t, s.Varies(t.Context(), rounds.Settings{}))
	e.over(t)
	eventually(t, func() bool { return runtime.NumGoroutine() <= before })
}
