package lockstep_test

import (
	"context"
	"testing"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/stretchr/testify/require"
)

func BenchmarkRun(b *testing.B) {
	for _, c := range oracle.Protocols(b) {
		b.Run(c.Name, func(b *testing.B) {
			m, err := lockstep.Compile(c.Program, c.Bounds, lockstep.Options{})
			require.NoError(b, err)
			schedules := c.Schedules(20)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := m.Run(context.Background(), schedules[i%len(schedules)]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	for _, c := range oracle.Protocols(b) {
		b.Run(c.Name, func(b *testing.B) {
			for b.Loop() {
				if _, err := lockstep.Compile(c.Program, c.Bounds, lockstep.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
