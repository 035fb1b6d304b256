package process_test

import (
	"fmt"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// A third of the calls are writes of 100 bytes, which are replayed on the disk of the driver
// too, a third reads of as much, and a third os.Stat. The start of the program is not
// counted. The figure is processor time, of the node and the driver.
func BenchmarkCalls(b *testing.B) {
	file := filepath.Join(b.TempDir(), "files")
	require.NoError(b, process.Build(b.Context(), ".", "./testdata/files", file))
	used := func() (all time.Duration) { // of processor time, by the driver and nodes that have ended
		for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
			var u syscall.Rusage
			require.NoError(b, syscall.Getrusage(who, &u))
			all += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
		return all
	}
	run := func(n int) time.Duration {
		s, err := process.Cluster{Rounds: 1, Clients: []process.Node{{Name: "n1", File: file, Args: []string{"calls", fmt.Sprint(n)}}}}.System()
		require.NoError(b, err)
		before := used()
		_, err = s.Run(b.Context(), rounds.Schedule{}, system.RunOptions{})
		require.NoError(b, err)
		return used() - before
	}
	const n = 100_000
	total := time.Duration(0)
	for b.Loop() {
		total += run(n) - run(0)
	}
	b.ReportMetric(float64(total)/float64(b.N)/(3*n), "ns/call")
	b.ReportMetric(0, "ns/op")
}
