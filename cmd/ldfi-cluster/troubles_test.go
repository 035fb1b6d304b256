//go:build linux

package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// few is how many cases a suite has that is to last for a moment.
const few = 18

// Several coordinators may ask at once, the same or something else.
func TestCoordinatorsAtOnce(t *testing.T) {
	s := newStage(t, 2, nil)
	one, other := s.suite("one", few), s.suite("other", few)
	s.alone(few)
	asking := []*process{s.check(one, "--workers", s.url()), s.check(one, "--workers", s.url()), s.check(other, "--workers", s.url())}
	s.requireSame(few, asking[0])
	s.requireSame(few, asking[1])
	s.requireSame(few, asking[2])
}

// Nobody waits for a worker that says nothing for long. When it comes back, what it says is
// said twice.
func TestSlowWorker(t *testing.T) {
	s := newStage(t, 2, nil)
	suite := s.suite("one", few)
	s.alone(few)
	coordinator := s.check(suite, "--workers", s.url())
	s.untilBusy(s.workers[0])
	require.NoError(t, s.workers[0].Process.Signal(syscall.SIGSTOP))
	begun := time.Now()
	s.requireSame(few, coordinator)
	require.Less(t, time.Since(begun), 30*time.Second)
	require.NoError(t, s.workers[0].Process.Signal(syscall.SIGCONT))
	s.requireSame(few, s.check(suite, "--workers", s.url()))
}

// untilBusy waits until a worker does something.
func (s *stage) untilBusy(worker *process) {
	s.t.Helper()
	require.Eventually(s.t, func() bool { return len(s.units(worker)) > 0 }, 20*time.Second, time.Millisecond)
}

// units are the processes of ldfi that a worker has started.
func (s *stage) units(worker *process) (pids []int) {
	for _, keeper := range childrenOf(worker.Process.Pid) {
		pids = append(pids, childrenOf(keeper)...)
	}
	return pids
}

func childrenOf(pid int) (all []int) {
	threads, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/children")
	for _, thread := range threads {
		text, _ := os.ReadFile(thread)
		for field := range strings.FieldsSeq(string(text)) {
			if child, err := strconv.Atoi(field); err == nil {
				all = append(all, child)
			}
		}
	}
	return all
}

// What a server has no room for is done by who asks, be it files, units or results.
func TestFullStore(t *testing.T) {
	for _, limit := range []string{"16KiB", "128KiB"} {
		s := newStage(t, 2, func(s *stage) { s.serve = []string{"--store-limit", limit} })
		coordinator := s.check(s.suite("one", few), "--workers", s.url())
		s.requireSame(few, coordinator)
		require.Contains(t, coordinator.err.String(), "the store of the server is full (ldfi serve --store-limit)")
	}
}

// Ctrl-C ends who asks, and workers do not go on for nobody.
func TestInterrupt(t *testing.T) {
	s := newStage(t, 2, nil)
	suite := s.suite("one", few)
	coordinator := s.check(suite, "--workers", s.url())
	s.untilBusy(s.workers[0])
	s.interrupt(coordinator, 2*time.Second)
	require.NotZero(t, coordinator.ProcessState.ExitCode())
	// What still runs waits for units: it uses no time of the processor.
	require.Eventually(t, func() bool {
		before := s.spent()
		time.Sleep(500 * time.Millisecond)
		return s.spent()-before <= 2
	}, 10*time.Second, time.Millisecond)
}

// spent is how much time of the processor the processes that do units have used, in ticks.
func (s *stage) spent() (ticks int) {
	for _, w := range s.workers {
		for _, pid := range s.units(w) {
			text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
			if err != nil {
				continue // it has ended
			}
			fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')'):]))
			for _, field := range fields[12:14] {
				n, err := strconv.Atoi(field)
				require.NoError(s.t, err)
				ticks += n
			}
		}
	}
	return ticks
}

// Who loses the program that talks to the server has nothing to say, and does not go on.
func TestKilledCarrier(t *testing.T) {
	s := newStage(t, 1, nil)
	coordinator := s.start("ldfi", "run", repository(t, "testdata/protocols/elastic/v6-checkpoint.ded"), "-t", "20", "-f", "17", "-c", "3", "--workers", s.url())
	s.untilBusy(s.workers[0])
	carriers := slices.DeleteFunc(childrenOf(coordinator.Process.Pid), func(pid int) bool {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		return !strings.Contains(string(line), "\x00carry\x00")
	})
	require.Len(t, carriers, 1)
	require.NoError(t, syscall.Kill(carriers[0], syscall.SIGKILL))
	s.wait(coordinator, 3*time.Second)
	require.Equal(t, 2, coordinator.ProcessState.ExitCode())
	require.Empty(t, coordinator.out.String())
	require.Contains(t, coordinator.err.String(), "ldfi-cluster: signal: killed")
}

// A system that runs out of memory kills who does units: somebody does them again.
func TestKilledUnits(t *testing.T) {
	s := newStage(t, 2, nil)
	suite := s.suite("one", few)
	s.alone(few)
	coordinator := s.check(suite, "--workers", s.url())
	for i := 0; i < 4 && s.running(coordinator); i++ {
		s.untilBusy(s.workers[i%2])
		for _, pid := range s.units(s.workers[i%2]) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			break
		}
		time.Sleep(200 * time.Millisecond)
	}
	s.requireSame(few, coordinator)
}
