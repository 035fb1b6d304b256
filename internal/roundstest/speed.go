package roundstest

import "testing"

// Speed measures a benchmark in executions for each second of processor time,
// of all threads of this process and of the children that it has waited for. On
// a machine that does other things as well that says more than the time on the
// clock.
type Speed struct{ from float64 }

// StartSpeed starts to measure.
func StartSpeed() Speed { return Speed{processorSeconds()} }

// Report reports the speed of so many executions as executions/cpu-s.
func (s Speed) Report(b *testing.B, executions int) {
	b.ReportMetric(float64(executions)/(processorSeconds()-s.from), "executions/cpu-s")
}
