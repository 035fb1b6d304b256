package vet_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/internal/vet"
)

// BenchmarkOf looks for the symmetry of each program of testdata.
func BenchmarkOf(b *testing.B) {
	for _, c := range oracle.Protocols(b) {
		b.Run(c.Name, func(b *testing.B) {
			for b.Loop() {
				vet.SymmetryOf(c.Program, c.Bounds)
			}
		})
	}
}
