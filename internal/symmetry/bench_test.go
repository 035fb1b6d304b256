package symmetry_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/roundstest"
	"github.com/lineage-driven/ldfi/internal/symmetry"
)

// BenchmarkOf looks for the symmetry of each program of testdata.
func BenchmarkOf(b *testing.B) {
	for _, c := range roundstest.Protocols(b) {
		b.Run(c.Name, func(b *testing.B) {
			for b.Loop() {
				symmetry.Of(c.Program, c.Bounds)
			}
		})
	}
}
