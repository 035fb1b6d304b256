package ldfi_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
)

// BenchmarkCheck decides each protocol within the bounds that it states.
func BenchmarkCheck(b *testing.B) {
	for _, c := range oracle.Protocols(b) {
		b.Run(c.Name, func(b *testing.B) {
			for b.Loop() {
				r, err := model(b, c.Program, c.Bounds, ldfi.Options{Goals: c.Goals}).Check(b.Context())
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(r.Stats.Gates), "gates")
				b.ReportMetric(float64(r.Stats.SolverCalls), "solver-calls")
				b.ReportMetric(r.Stats.Times.Evaluate, "evaluate-ms")
				b.ReportMetric(r.Stats.Times.Search, "search-ms")
			}
		})
	}
}

// BenchmarkHypotheses lists what breaks each protocol within the bounds that it states, as
// ldfi hypotheses --max 1000 does: replog/buggy.ded has most, 222 sets.
func BenchmarkHypotheses(b *testing.B) {
	for _, c := range oracle.Protocols(b) {
		b.Run(c.Name, func(b *testing.B) {
			for b.Loop() {
				r, err := model(b, c.Program, c.Bounds, ldfi.Options{Goals: c.Goals, Max: 1000, Bare: true}).Hypotheses(b.Context(), nil, nil)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(len(r.Counterexamples)), "sets")
			}
		})
	}
}
