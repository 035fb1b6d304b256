package virtual_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/stretchr/testify/require"
)

// fragile is a server that does what its tests tell it.
type fragile struct {
	*clock
	request, report, stop func()
}

func (f *fragile) Request(system.Request) { call(f.request) }
func (f *fragile) Stop()                  { f.clock.Stop(); call(f.stop) }
func (f *fragile) Report(m *virtual.Machine) {
	m.Fact("alive")
	call(f.report)
}

func call(f func()) {
	if f != nil {
		f()
	}
}

// fragiles returns a system of two servers, of which a is as it is told.
func fragiles(start func(m *virtual.Machine, f *fragile) error) *system.System {
	return &system.System{
		Name: "fragiles", Processes: []string{"a", "b"}, Rounds: 4, Requests: []system.Request{{Round: 2, Process: "a", Payload: "x"}},
		New: virtual.New(virtual.Options{Start: func(m *virtual.Machine) (virtual.Server, error) {
			c, err := startClock(m)
			f := &fragile{clock: c.(*clock)}
			if m.Name() == "a" {
				err = start(m, f)
			}
			return f, err
		}}),
	}
}

func oh() { panic("oh") }

// A panic in what the harness calls is a finding of its process, and so is a server that
// does not start; the other processes go on to the end.
func TestFailures(t *testing.T) {
	for name, story := range map[string]struct {
		start    func(m *virtual.Machine, f *fragile) error
		schedule string
		property string
		text     string
		stack    string
		alive    string
	}{
		"request": {
			func(_ *virtual.Machine, f *fragile) error { f.request = oh; return nil }, "",
			"no panic", "process a panics in round 2: oh", "virtual_test.oh at virtual/failures_test.go:", `("a")@1`,
		},
		"report": {
			func(_ *virtual.Machine, f *fragile) error { f.report = oh; return nil }, "",
			"no panic", "process a panics in round 1: oh", "virtual_test.oh at virtual/failures_test.go:", `("a")@1`,
		},
		"start": {
			func(*virtual.Machine, *fragile) error { oh(); return nil }, "",
			"no panic", "process a panics in round 1: oh", "virtual_test.oh at virtual/failures_test.go:", "",
		},
		"does not start": {
			func(*virtual.Machine, *fragile) error { return errors.New("no config") }, "",
			"no exit", "process a ends its program in round 1: it does not start: no config", "", "",
		},
		"restarts": {
			func(m *virtual.Machine, f *fragile) error {
				if m.Round() < 4 {
					f.request = oh
				}
				return nil
			}, "crash a@3; restart a@4",
			"no panic", "process a panics in round 2: oh", "virtual_test.oh at virtual/failures_test.go:", `("a")@1 ("a")@4`,
		},
		"stop after a crash": {func(_ *virtual.Machine, f *fragile) error { f.stop = oh; return nil }, "crash a@3", "", "", "", `("a")@1 ("a")@2`},
		"a deadline":         {func(_ *virtual.Machine, f *fragile) error { f.request = func() { time.Sleep(time.Second) }; return nil }, "", "", "", "", `("a")@1 ("a")@2 ("a")@3 ("a")@4`},
	} {
		t.Run(name, func(t *testing.T) {
			s := fragiles(story.start)
			schedule, err := rounds.ParseSchedule(story.schedule)
			require.NoError(t, err)
			target, err := search.NewTarget(s, nil)
			require.NoError(t, err)
			executor, err := target.Open(0, true)
			require.NoError(t, err)
			e, violations, err := executor.Execute(t.Context(), schedule)
			require.NoError(t, err)
			require.Equal(t, `("b")@1 ("b")@2 ("b")@3 ("b")@4`, alive(e, "b"), "the other goes on")
			require.Equal(t, story.alive, alive(e, "a"))
			if story.property == "" {
				require.Empty(t, violations)
				return
			}
			require.Len(t, violations, 1)
			require.Equal(t, story.property, violations[0].Property)
			require.Equal(t, story.text, violations[0].Text)
			require.Contains(t, strings.Join(violations[0].Stack, "\n"), story.stack)
		})
	}
}

// alive returns when a process reported that it is.
func alive(e *recording.Execution, process string) string {
	var all []string
	for _, f := range strings.Fields(facts(e, "alive")) {
		if strings.Contains(f, process) {
			all = append(all, f)
		}
	}
	return strings.Join(all, " ")
}
