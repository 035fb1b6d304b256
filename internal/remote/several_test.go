package remote_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/remote"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

// running is what the processes of single share, as those of a library with a
// global variable do.
var running string

// single is a system whose executions must not overlap. Each program that executes it
// leaves a file with its number.
func single() *system.System {
	s := &system.System{
		Name: "single", Processes: []string{"a", "b", "c"}, Rounds: 4, Single: true,
		New:        func(name string, _ *rand.Rand) system.Process { return sharing{} },
		Properties: []property.Property{property.UniquePerTerm("leader")},
	}
	return s
}

type sharing struct{}

func (sharing) Send(s *system.Step) {
	name := fmt.Sprintf("%p", s)
	running = name
	time.Sleep(50 * time.Microsecond)
	if running != name {
		panic("another execution runs in this program")
	}
	s.Broadcast("x")
}

func (sharing) Receive(s *system.Step, inbox []system.Message) {
	if dir := os.Getenv("GOTMPDIR"); dir != "" && s.Round() == 1 {
		_ = os.WriteFile(filepath.Join(dir, fmt.Sprint("pid", os.Getpid())), nil, 0o600)
	}
	if len(inbox) == 0 && s.Round() == 4 && s.Process() == "c" {
		s.Fact("leader", 1)
	}
	if len(inbox) == 0 && s.Round() == 3 && s.Process() == "b" {
		s.Fact("leader", 1)
	}
}

func serveSingle() { _ = wire.Serve(single()) }

// A system whose executions must not overlap is executed by several hosts, each of which
// executes one schedule at a time; their number makes no difference to the answer.
func TestSeveralHosts(t *testing.T) {
	for _, o := range []search.Options{
		{Strategy: "uniform", Bounds: rounds.Bounds{Isolations: 2, Period: 1}, Executions: 150, Seed: 3}, // finds something
		{Strategy: "spread", Bounds: rounds.Bounds{Crashes: 1}, Executions: 100},
	} {
		var answers []string
		for _, cores := range []int{1, 3} {
			a, programs := searchSingle(t, o, cores)
			require.LessOrEqual(t, programs, cores)
			if a.Verdict != result.Violated {
				require.Equal(t, cores, programs, "programs that executed schedules")
			}
			answers = append(answers, a.Summary())
		}
		require.Equal(t, answers[0], answers[1])
	}
}

// searchSingle searches with so many cores, and returns how many programs executed.
func searchSingle(t *testing.T, o search.Options, cores int) (*result.Answer, int) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	dir := t.TempDir()
	t.Setenv("GOTMPDIR", dir)
	r, err := start(t, "single", remote.Options{})
	require.NoError(t, err)
	s, err := r.System("")
	require.NoError(t, err)
	a, err := s.Search(t.Context(), o)
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(dir, "pid*"))
	require.NoError(t, err)
	return a, len(files)
}

// In this program it is searched by one goroutine.
func TestSingleInThisProgram(t *testing.T) {
	a := here(t, single(), search.Options{Strategy: "uniform", Bounds: rounds.Bounds{Crashes: 1}, Executions: 50, Workers: 4})
	require.Equal(t, result.Inconclusive, a.Verdict, a.Summary())
}

// So are systems whose processes say that their machines bear one execution at a time,
// and what is drawn for each execution makes no difference either.
func TestSeveralHostsOfMachines(t *testing.T) {
	for _, executions := range []int{2, 500} {
		var answers []string
		for _, cores := range []int{1, 3} {
			func() {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
				r, err := start(t, "machines", remote.Options{})
				require.NoError(t, err)
				s, err := r.System("racing")
				require.NoError(t, err)
				require.True(t, s.Single)
				a, err := s.Search(t.Context(), search.Options{GoroutineOrders: true, Executions: executions})
				require.NoError(t, err)
				require.False(t, a.Search.ByHost, "its schedules are drawn here, for several hosts")
				answers = append(answers, inJSON(t, a))
			}()
		}
		require.Equal(t, answers[0], answers[1])
	}
}
