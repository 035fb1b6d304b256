package simulation_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What a unit costs in which there is nothing to do: the processor time of each process,
// and by the clock, one at a time and many.
func BenchmarkUnit(b *testing.B) {
	for _, atATime := range []int{1, 64} {
		b.Run(fmt.Sprintf("%d at a time", atATime), func(b *testing.B) {
			c := startCluster(b, 1, 2)
			hands := c.coordinate(b, 2)
			c.do(b, hands, make([]time.Duration, 10), 2) // the processes of slots are started
			b.ResetTimer()
			before := c.times(b)
			c.do(b, hands, make([]time.Duration, b.N), atATime)
			for who, d := range c.times(b) {
				b.ReportMetric(float64((d-before[who]).Microseconds())/float64(b.N), "µs-"+who+"/op")
			}
		})
	}
}

// times is how long each process has used a core up to now.
func (c *cluster) times(t testing.TB) map[string]time.Duration {
	all := map[string]time.Duration{"server": processTime(t, c.server.Process.Pid), "ldfi": processTime(t, os.Getpid())}
	for _, w := range c.workers {
		all["worker"] += processTime(t, w.Process.Pid)
	}
	for _, child := range children(t, os.Getpid()) {
		if name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", child)); bytes.Contains(name, []byte("\x00carry\x00")) {
			all["carry"] = processTime(t, child)
		}
	}
	return all
}

// processTime reads how long a process has used a core, in units of 10 ms.
func processTime(t testing.TB, pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Skip("the times of processes are not in /proc here")
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	user, err := strconv.Atoi(fields[11])
	require.NoError(t, err)
	system, err := strconv.Atoi(fields[12])
	require.NoError(t, err)
	return time.Duration(user+system) * 10 * time.Millisecond
}

// children are the processes that a process has started.
func children(t testing.TB, pid int) (all []int) {
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	require.NoError(t, err)
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil {
			continue // the thread has ended
		}
		for _, child := range strings.Fields(string(text)) {
			number, err := strconv.Atoi(child)
			require.NoError(t, err)
			all = append(all, number)
		}
	}
	return all
}

// What it costs to start a program as large as this one, as a slot does.
func BenchmarkStart(b *testing.B) {
	self, err := os.Executable()
	require.NoError(b, err)
	for b.Loop() {
		require.NoError(b, exec.Command(self, "unit", "--build").Run())
	}
}

// What it costs, in a second, that a worker does a unit: an operation is a second.
func BenchmarkSecond(b *testing.B) {
	const workers, slots = 5, 4
	c := startCluster(b, workers, slots)
	hands := c.coordinate(b, workers*slots)
	c.do(b, hands, make([]time.Duration, 2*workers*slots), 2*workers*slots) // the processes of slots are started
	sleeps := make([]time.Duration, workers*slots)
	for i := range sleeps {
		sleeps[i] = time.Duration(b.N)*time.Second + 2*time.Second
	}
	done := make(chan struct{})
	go func() { c.do(b, hands, sleeps, len(sleeps)); close(done) }()
	time.Sleep(time.Second)
	before := c.times(b)
	for range b.N {
		time.Sleep(time.Second)
	}
	for who, d := range c.times(b) {
		b.ReportMetric(float64((d-before[who]).Microseconds())/float64(b.N)/workers/slots, "µs-"+who+"/slot")
	}
	<-done
}
