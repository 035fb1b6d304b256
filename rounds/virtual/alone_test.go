package virtual_test

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/bubble"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

// counted is a clock that says whose execution it is part of.
func counted(name string, running *atomic.Value, wrong *atomic.Int64) *system.System {
	s := clocks()
	s.Name, s.Processes = name, []string{"a", "b"}
	s.New = virtual.New(virtual.Options{Start: func(m *virtual.Machine) (virtual.Server, error) {
		running.Store(name)
		server, err := startClock(m)
		return &watched{server.(*clock), name, running, wrong}, err
	}})
	return s
}

type watched struct {
	*clock
	name    string
	running *atomic.Value
	wrong   *atomic.Int64
}

func (w *watched) Report(*virtual.Machine) {
	if w.running.Load() != w.name {
		w.wrong.Add(1)
	}
}

// Executions of several systems in one program never overlap, whoever executes them.
func TestExecutionsNeverOverlap(t *testing.T) {
	var running atomic.Value
	var wrong atomic.Int64
	var all errgroup.Group
	for i := range 4 {
		s := counted(fmt.Sprint("system ", i), &running, &wrong)
		all.Go(func() error {
			for range 25 {
				if _, err := s.Run(context.Background(), parse(t, "crash a@2; restart a@3"), system.RunOptions{}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	require.NoError(t, all.Wait())
	require.Zero(t, wrong.Load())
}

// What an execution changes of the settings of the runtime is put back, also when it is
// cancelled or fails.
func TestSettingsArePutBack(t *testing.T) {
	time.Sleep(100 * time.Millisecond) // for the executions of other tests
	limit := debug.SetMemoryLimit(-1)
	cores := runtime.GOMAXPROCS(3)
	defer runtime.GOMAXPROCS(cores)
	percent := debug.SetGCPercent(123)
	defer debug.SetGCPercent(percent)
	for name, execute := range map[string]func(){
		"whole": func() { run(t, clocks(), "") },
		"cancelled": func() {
			ctx, cancel := context.WithCancel(t.Context())
			s := clocks()
			s.New = virtual.New(virtual.Options{Start: func(m *virtual.Machine) (virtual.Server, error) {
				cancel()
				return startClock(m)
			}})
			_, err := s.Run(ctx, parse(t, ""), system.RunOptions{})
			require.ErrorIs(t, err, context.Canceled)
		},
		"failed": func() {
			s := fragiles(func(*virtual.Machine, *fragile) error { panic("oh") })
			_, err := s.Run(t.Context(), parse(t, ""), system.RunOptions{})
			require.Error(t, err)
		},
	} {
		inside := 0
		hold := clocks()
		hold.New = virtual.New(virtual.Options{Start: func(m *virtual.Machine) (virtual.Server, error) {
			inside = runtime.GOMAXPROCS(0)
			return startClock(m)
		}})
		run(t, hold, "")
		require.Equal(t, 1, inside)
		execute()
		require.Eventually(t, func() bool { return runtime.GOMAXPROCS(0) == 3 }, 5*time.Second, time.Millisecond, name)
		require.Equal(t, limit, debug.SetMemoryLimit(-1))
		require.Equal(t, 123, debug.SetGCPercent(123))
	}
}

// Above the limit of memory garbage is collected in the middle of an execution, and the
// recording says that it is not exact.
func TestMemory(t *testing.T) {
	if !bubble.Exact() {
		t.Skip("this is the program of TestOverlay")
	}
	var kept [][]byte
	s := clocks()
	s.New = virtual.New(virtual.Options{Memory: 64 << 20, Start: func(m *virtual.Machine) (virtual.Server, error) {
		kept = nil
		for range 100 {
			kept = append(kept, make([]byte, 1<<20))
		}
		return startClock(m)
	}})
	require.Equal(t, "garbage was collected in it, because memory ran short", run(t, s, "").Inexact)
	require.Empty(t, run(t, clocks(), "").Inexact)
	require.Len(t, kept, 100)
}
