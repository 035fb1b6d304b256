package process_test

import (
	"fmt"
	"os/exec"
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
	run := func(n int) time.Duration {
		s, err := process.Cluster{Rounds: 1, Clients: []process.Node{{Name: "n1", File: file, Args: []string{"calls", fmt.Sprint(n)}}}}.System()
		require.NoError(b, err)
		before := used(b)
		_, err = s.Run(b.Context(), rounds.Schedule{}, system.RunOptions{})
		require.NoError(b, err)
		return used(b) - before
	}
	const n = 100_000
	total := time.Duration(0)
	for b.Loop() {
		total += run(n) - run(0)
	}
	b.ReportMetric(float64(total)/float64(b.N)/(3*n), "ns/call")
	b.ReportMetric(0, "ns/op")
}

// used is the processor time of the driver and of the nodes that have ended.
func used(b *testing.B) (all time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		require.NoError(b, syscall.Getrusage(who, &u))
		all += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return all
}

// A program that ends at once: as a node, in an execution of one round, and as it is. The
// figures are processor time and time.
func BenchmarkStart(b *testing.B) {
	node, plain := filepath.Join(b.TempDir(), "files"), filepath.Join(b.TempDir(), "plain")
	require.NoError(b, process.Build(b.Context(), ".", "./testdata/files", node))
	out, err := exec.Command("go", "build", "-o", plain, "./testdata/files").CombinedOutput()
	require.NoError(b, err, "%s", out)
	s, err := process.Cluster{Rounds: 1, Clients: []process.Node{{Name: "n1", File: node, Args: []string{"calls", "0"}}}}.System()
	require.NoError(b, err)
	measure := func(name string, run func() error) {
		b.Run(name, func(b *testing.B) {
			before := used(b)
			for b.Loop() {
				require.NoError(b, run())
			}
			b.ReportMetric(float64(used(b)-before)/float64(b.N), "cpu-ns/op")
		})
	}
	measure("node", func() error {
		_, err := s.Run(b.Context(), rounds.Schedule{}, system.RunOptions{})
		return err
	})
	dir := b.TempDir() // the program writes a file
	measure("plain", func() error {
		cmd := exec.Command(plain, "calls", "0")
		cmd.Dir = dir
		return cmd.Run()
	})
}
