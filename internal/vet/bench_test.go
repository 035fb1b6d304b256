package vet_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// What a certificate costs more than its search.
func BenchmarkReach(b *testing.B) {
	for _, name := range []string{"delivery/ack", "delivery/ack12", "replog/fixed", "paxos/synod", "elastic/v6-checkpoint", "rounds/ben_or_clock"} {
		b.Run(name, func(b *testing.B) {
			p, err := dedalus.Parse(filepath.Join("..", "..", "testdata", "protocols", name+".ded"))
			require.NoError(b, err)
			within, _, err := rounds.BoundsOf(p, nil)
			require.NoError(b, err)
			for b.Loop() {
				_, err := vet.Reach(context.Background(), p, within.Normal())
				require.NoError(b, err)
			}
		})
	}
}
