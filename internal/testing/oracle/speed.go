package oracle

import (
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// A test makes garbage for some seconds and ends, so it spends less on the collector than
// what runs for a long time: four tenths of the processor time of a sweep were the
// collector's and that of fresh pages. Benchmarks measure what users have, and GOGC decides
// where it is set.
func init() {
	benchmark := func(arg string) bool { return strings.HasPrefix(arg, "-test.bench=") }
	if os.Getenv("GOGC") == "" && !slices.ContainsFunc(os.Args, benchmark) {
		debug.SetGCPercent(400)
	}
}

// Speed measures processor time, of all threads of this process and of the children
// that it has waited for: on a machine that does other things as well that says more
// than the time on the clock.
type Speed struct{ from float64 }

// StartSpeed starts to measure.
func StartSpeed() Speed { return Speed{processorSeconds()} }

// Seconds returns the processor time since then.
func (s Speed) Seconds() float64 { return processorSeconds() - s.from }

// Report reports the speed of so many executions as executions/cpu-s.
func (s Speed) Report(b *testing.B, executions int) {
	b.ReportMetric(float64(executions)/s.Seconds(), "executions/cpu-s")
}
