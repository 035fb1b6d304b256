package lockstep_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/lockstep"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// protocol parses a program of testdata/protocols and its bounds.
func protocol(t testing.TB, path string) (*dedalus.Program, rounds.Bounds) {
	p, err := dedalus.Parse(path)
	require.NoError(t, err)
	b, _, err := rounds.BoundsFrom(p.Settings, nil)
	require.NoError(t, err)
	return p, b
}

func BenchmarkRun(b *testing.B) {
	for _, c := range []struct{ name, schedule string }{
		{"delivery/retry.ded", ""},
		{"delivery/retry.ded", "crash a@2; omit a>c@1"},
		{"delivery/ack.ded", ""},
		{"delivery/ack12.ded", ""},
		{"commit/3pc.ded", ""},
		{"paxos/synod.ded", ""},
		{"replog/fixed.ded", ""},
	} {
		b.Run(c.name+" "+c.schedule, func(b *testing.B) {
			p, bounds := protocol(b, filepath.Join("../../testdata/protocols", c.name))
			m, err := lockstep.Compile(p, bounds, lockstep.Options{})
			require.NoError(b, err)
			s, err := rounds.ParseSchedule(c.schedule)
			require.NoError(b, err)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := m.Run(context.Background(), s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
