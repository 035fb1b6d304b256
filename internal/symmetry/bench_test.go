package symmetry_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/symmetry"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
)

// BenchmarkOf looks for the symmetry of each program of testdata.
func BenchmarkOf(b *testing.B) {
	for _, c := range oracle.Protocols(b) {
		b.Run(c.Name, func(b *testing.B) {
			for b.Loop() {
				symmetry.Of(c.Program, c.Bounds)
			}
		})
	}
}
