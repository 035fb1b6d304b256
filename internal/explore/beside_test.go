package explore_test

import (
	"io"
	"os/exec"
	"runtime"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/lineage-driven/ldfi/internal/explore"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/subprocess"
	"github.com/stretchr/testify/require"
)

// running is the program as it runs on a terminal.
type running struct {
	t     *testing.T
	keys  *io.PipeWriter
	seen  *output
	ended chan error
}

func run(t *testing.T, e *explore.Exploration, name string, program ...tea.ProgramOption) *running {
	keys, typing := io.Pipe()
	r := &running{t: t, keys: typing, seen: &output{}, ended: make(chan error, 1)}
	go func() {
		r.ended <- explore.Run(t.Context(), e, options(name), append(program, tea.WithInput(keys), tea.WithOutput(r.seen), tea.WithWindowSize(80, 24))...)
	}()
	return r
}

// press presses keys, one after the other.
func (r *running) press(keys string) {
	for _, key := range keys {
		_, err := r.keys.Write([]byte(string(key)))
		require.NoError(r.t, err)
		time.Sleep(time.Millisecond) // escape begins nothing longer
	}
}

// leave ends the program, and what reads its keys.
func (r *running) leave() {
	r.press("q")
	select {
	case err := <-r.ended:
		require.NoError(r.t, err)
	case <-time.After(10 * time.Second):
		require.Fail(r.t, "q does not leave")
	}
	require.NoError(r.t, r.keys.Close())
}

// sees waits for a text, and forgets all that was seen.
func (r *running) sees(text string) {
	r.t.Helper()
	require.Eventually(r.t, r.seen.has(text), 20*time.Second, 5*time.Millisecond, text)
	r.seen.forget()
}

const (
	escape  = "\x1b"
	longest = "replog/buggy.ded" // to be repaired
)

// What takes long goes on beside the keys, one question at a time, and escape ends it:
// nothing is executed any more, and nothing is left behind.
func TestQuestionsBesideKeys(t *testing.T) {
	first := exec.Command("true")
	subprocess.Separate(first)
	require.NoError(t, subprocess.Start(first)) // the thread that starts programs stays
	require.NoError(t, first.Wait())
	before := runtime.NumGoroutine()
	o, ran := opened(t, &subject.System{Common: subject.Common{Bounds: map[string]string{"isolations": "2", "period": "2", "omissions": "3"}}, Name: "election-nameless"})
	e, err := explore.New(t.Context(), o)
	require.NoError(t, err)
	idle := runtime.NumGoroutine()
	p := run(t, e, "election-nameless")
	p.sees("promise is kept")

	p.press("n")
	p.sees("looking for fault sets")
	started := ran.count(t)
	require.Eventually(t, func() bool { return ran.count(t) > started+5 }, 10*time.Second, 5*time.Millisecond)

	p.press("i") // a key meanwhile
	p.sees("isolate a@1..2")
	going := ran.count(t)
	require.Eventually(t, func() bool { return ran.count(t) > going+5 }, 10*time.Second, 5*time.Millisecond, "the question went on")

	p.press("a") // another question, which ends the first
	p.sees("looking for fault sets")
	p.press(escape)
	p.sees("given up")
	require.True(t, still(func() int { return ran.count(t) }), "nothing is executed after escape")

	p.press("v") // a quick one has its answer
	p.sees("both executions keep the promise")

	p.leave()
	restsAt(t, idle)
	require.NoError(t, o.Close())
	restsAt(t, before)
}

// restsAt waits until no more goroutines are left than there were.
func restsAt(t *testing.T, most int) {
	t.Helper()
	for range 500 {
		if runtime.NumGoroutine() <= most {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	stacks := make([]byte, 1<<16)
	require.Fail(t, "something goes on", "%s", stacks[:runtime.Stack(stacks, true)])
}

// still tells whether a count comes to rest within a second or so.
func still(count func() int) bool {
	for range 5 {
		before := count()
		time.Sleep(300 * time.Millisecond)
		if count() == before {
			return true
		}
	}
	return false
}

// Escape ends what a protocol is asked, too: the solver and whatever else it keeps busy.
func TestEscapeEndsAQuestionAboutAProtocol(t *testing.T) {
	e := exploration(t, longest)
	idle := runtime.NumGoroutine()
	p := run(t, e, longest)
	p.sees("promise is kept")
	waiting := runtime.NumGoroutine()
	p.press("R")
	p.sees("trying repairs")
	time.Sleep(100 * time.Millisecond)
	p.press(escape)
	p.sees("given up")
	restsAt(t, waiting)
	p.leave()
	restsAt(t, idle)
}
