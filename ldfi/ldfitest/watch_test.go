package ldfitest

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

// lonely does something in round 3 if it is alone; it can be put back into its
// state.
type lonely func()

func (lonely) Send(s *system.Step) { s.Broadcast("hello") }

func (l lonely) Receive(s *system.Step, inbox []system.Message) {
	if s.Round() == 3 && len(inbox) == 0 && s.Process() == "b" {
		l()
	}
}

func (lonely) Fingerprint() string { return "always" }
func (lonely) Snapshot() any       { return nil }
func (lonely) Restore(any)         {}

// watch searches a system of lonely processes, which may take so long for a call.
func watch(t *testing.T, strategy string, patience time.Duration, alone func()) (*outcome, error) {
	t.Helper()
	s := &system.System{
		Name: "lonely", Processes: []string{"a", "b"}, Rounds: 4,
		New: func(string, *rand.Rand) system.Process { return lonely(alone) },
	}
	c := newCheck(s, []Option{Strategy(strategy), Bounds(rounds.Bounds{Isolations: 1, Period: 1}), Executions(50)})
	c.patience = patience
	return c.watched(t.Context(), property.UniquePerTerm("leader"), t.TempDir(), "go test")
}

// A call that does not come back is told with its schedule, round and process, and
// where the process was.
func TestHang(t *testing.T) {
	for _, strategy := range []string{"spread", "exhaustive", "learn"} {
		never := make(chan int)
		_, err := watch(t, strategy, 20*time.Millisecond, func() { <-never })
		require.ErrorContains(t, err, "violated  no hang: process b does not come back from Receive in round 3: it was waited for 80ms\n", strategy)
		require.Regexp(t, `\n +ldfitest\.TestHang\.func1 at ldfitest/watch_test\.go:\d+\n +ldfitest\.lonely\.Receive at ldfitest/watch_test\.go:\d+\n  faults  .*isolate [ab]@3`, err.Error(), strategy)
		require.ErrorContains(t, err, "found   twice, after 20ms and 80ms")
		close(never)
	}
}

// What takes long, and not for ever, is none.
func TestSlowCall(t *testing.T) {
	for _, strategy := range []string{"spread", "exhaustive"} {
		o, err := watch(t, strategy, 20*time.Millisecond, func() { time.Sleep(45 * time.Millisecond) })
		require.NoError(t, err, strategy)
		require.Nil(t, o.broken)
	}
}

// A process that ends its goroutine, as t.FailNow does, goes unnoticed nowhere.
func TestGoexit(t *testing.T) {
	for _, strategy := range []string{"spread", "exhaustive", "learn"} {
		_, err := watch(t, strategy, time.Minute, runtime.Goexit)
		require.ErrorContains(t, err, "process b ends its goroutine (runtime.Goexit, as t.FailNow does) in Receive in round 3, under the schedule ", strategy)
		require.ErrorContains(t, err, "isolate ", strategy)
	}
}
