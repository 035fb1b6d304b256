package explore_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/internal/explore"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// asHost is set where this test program is the program with systems; it names the file
// that gets a letter for each execution.
const asHost = "LDFI_TERMINAL_TEST_HOST"

func TestMain(m *testing.M) {
	counted := os.Getenv(asHost)
	switch {
	case os.Getenv(asMachined) != "":
		serveMachined()
		return
	case counted == "":
		os.Exit(m.Run())
	}
	if err := wire.Serve(counting(election.Buggy(), counted, 0), counting(nameless(election.Buggy()), counted, 0), counting(nameless(election.Fixed()), counted, pause)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// pause is how long each execution of a slow system takes at least.
const pause = 20 * time.Millisecond

// counting is a system of which executions are counted, and take so long.
func counting(s *system.System, file string, takes time.Duration) *system.System {
	start := s.New
	s.New = func(process string, random *rand.Rand) system.Process {
		if process == s.Processes[0] {
			time.Sleep(takes)
			if f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err == nil {
				_, _ = f.WriteString("x")
				_ = f.Close()
			}
		}
		return start(process, random)
	}
	return s
}

// nameless is a system whose processes do not name their states, so that nothing can be
// learned of it.
func nameless(s *system.System) *system.System {
	start := s.New
	s.Name += "-nameless"
	s.New = func(process string, random *rand.Rand) system.Process {
		return struct{ system.Process }{start(process, random)}
	}
	return s
}

// executions is how many a system had.
type executions string

func (e executions) count(t testing.TB) int {
	text, err := os.ReadFile(string(e))
	if os.IsNotExist(err) {
		return 0
	}
	require.NoError(t, err)
	return len(text)
}

// opened starts a system of this program.
func opened(t testing.TB, about *subject.System) (*subject.Opened, executions) {
	counted := filepath.Join(t.TempDir(), "executions")
	t.Setenv(asHost, counted)
	program, err := os.Executable()
	require.NoError(t, err)
	about.Command, about.Max = text.ShellQuote(program), 30
	o, err := about.Open(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { o.Close() })
	return o, executions(counted)
}

// ofSystem is an exploration of one of them.
func ofSystem(t testing.TB, name string) *explore.Exploration {
	o, _ := opened(t, &subject.System{Name: name})
	e, err := explore.New(t.Context(), o)
	require.NoError(t, err)
	return e
}

// A key that changes the schedule of a system takes one execution until there is a
// verdict, and none where it was executed before. What is broken is executed once more
// after that.
func TestAKeyTakesOneExecution(t *testing.T) {
	o, ran := opened(t, &subject.System{Name: "election-buggy"})
	e, err := explore.New(t.Context(), o)
	require.NoError(t, err)
	p := explore.NewPlayer(t.Context(), e, options("election-buggy"), 80, 24)
	for _, step := range []struct {
		key        string
		executions int
		shown      string
	}{
		{"right", 0, "kept       the promise is kept"}, // that without faults was the first
		{"c", 1, "kept       the promise is kept"},
		{"c", 0, "kept       the promise is kept"},
		{"left", 0, "kept       the promise is kept"},
		{"i", 2, "VIOLATED   one leader per term: violation(1, a, b)"},
		{"u", 0, "kept       the promise is kept"},
		{"U", 0, "VIOLATED   one leader per term: violation(1, a, b)"},
		{"y", 0, "ldfi inject"},
	} {
		before := ran.count(t)
		p.Press(step.key)
		require.Contains(t, p.Screen(), step.shown, step.key)
		require.Equal(t, step.executions, ran.count(t)-before, step.key)
	}

	require.NoError(t, e.SetText("isolate c@3..4"))
	before := ran.count(t)
	in, err := e.Execute(t.Context(), e.Schedule())
	require.NoError(t, err)
	require.Equal(t, "one leader per term: violation(2, a, c)", in.Violations[0].String())
	require.Equal(t, 1, ran.count(t)-before)
	require.False(t, e.Confirmed(in))
	confirmed, err := e.Confirm(t.Context(), in)
	require.NoError(t, err)
	require.Equal(t, in.Violations, confirmed.Violations)
	require.Equal(t, 2, ran.count(t)-before)
	require.True(t, e.Confirmed(confirmed))
}
