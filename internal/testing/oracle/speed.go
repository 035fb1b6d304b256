package oracle

import "testing"

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
