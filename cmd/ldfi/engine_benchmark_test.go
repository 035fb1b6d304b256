//go:build linux

package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/testing/generate"
	"github.com/stretchr/testify/require"
)

var (
	slowEngine  = flag.Bool("slow", false, "BenchmarkEngine asks the questions that take seconds, too")
	engineLimit = flag.Duration("limit", 2*time.Minute, "after which BenchmarkEngine interrupts a question")
)

// engineRow is a command that decides a protocol.
type engineRow struct {
	name    string
	args    []string // of ldfi run
	verdict string   // the right one
	slow    bool
}

// BenchmarkEngine decides protocols of any size, each by a process of its own, which
// has one core or two. Beside the time it says how much of it cores were busy (cpu-s),
// how much memory was in use at most (peak-MB), and whether the question was decided (1)
// or left open (0). A wrong answer fails it.
func BenchmarkEngine(b *testing.B) {
	for _, row := range engineRows(b) {
		if row.slow && !*slowEngine {
			continue
		}
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers-%d", row.name, workers), func(b *testing.B) { row.run(b, workers) })
		}
	}
}

// engineRows are the questions of package generate, and those about testdata/engine.
func engineRows(b *testing.B) []engineRow {
	var rows []engineRow
	dir := b.TempDir()
	for _, q := range generate.Questions() {
		file := filepath.Join(dir, q.Name+".ded")
		require.NoError(b, os.WriteFile(file, []byte(q.Text), 0o600))
		rows = append(rows, engineRow{name: q.Name, args: []string{file}, verdict: verdictOf(!q.Holds), slow: q.Slow})
	}
	for _, args := range []string{"resync.ded --eff=0 --crashes=1", "resync.ded --eff=0 --crashes=2", "resync.ded", "weights.ded", "history.ded", "hashed.ded"} {
		words := strings.Fields(args)
		words[0] = filepath.Join("..", "..", "testdata", "engine", words[0])
		rows = append(rows, engineRow{name: strings.ReplaceAll(strings.ReplaceAll(args, ".ded", ""), " --", "-"), args: words, verdict: "holds"})
	}
	return rows
}

func verdictOf(violated bool) string {
	if violated {
		return "violated"
	}
	return "holds"
}

// cores returns the flags that say how many cores a question may use, where there is
// one. All of the process has no more anyway.
func cores(b *testing.B, workers int) []string {
	help, err := exec.Command("ldfi", "run", "--help").CombinedOutput()
	require.NoError(b, err)
	if !strings.Contains(string(help), "--workers") {
		return nil
	}
	return []string{fmt.Sprint("--workers=", workers)}
}

// run asks the question as often as the benchmark wants.
func (r engineRow) run(b *testing.B, workers int) {
	var spent time.Duration
	var peak int64
	decided := 1.0
	args := slices.Concat([]string{"run"}, cores(b, workers), r.args)
	for b.Loop() {
		ctx, cancel := context.WithTimeout(b.Context(), *engineLimit)
		cmd := exec.CommandContext(ctx, "ldfi", args...)
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
		cmd.Env = append(os.Environ(), fmt.Sprint("GOMAXPROCS=", workers))
		out, _ := cmd.CombinedOutput()
		cancel()
		verdict, _, _ := strings.Cut(string(out), " ")
		switch verdict {
		case r.verdict:
		case "inconclusive":
			decided = 0
		default:
			b.Fatalf("%s: %s instead of %s:\n%s", r.name, verdict, r.verdict, out)
		}
		spent += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		peak = max(peak, cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
	}
	b.ReportMetric(spent.Seconds()/float64(b.N), "cpu-s/op")
	b.ReportMetric(float64(peak)/1024, "peak-MB")
	b.ReportMetric(decided, "decided")
}
