package provenance_test

import (
	"context"
	"testing"

	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// BenchmarkEvaluate evaluates protocols for what their promise depends on.
func BenchmarkEvaluate(b *testing.B) {
	for _, file := range []string{
		"delivery/simple", "delivery/retry", "delivery/ack", "delivery/ack12",
		"commit/2pc", "commit/3pc", "commit/3pc12",
		"replication/kafka_isr", "paxos/synod", "replog/buggy", "replog/fixed", "election/bully_max",
	} {
		b.Run(file, func(b *testing.B) {
			p, err := dedalus.Parse("../testdata/protocols/" + file + ".ded")
			require.NoError(b, err)
			bounds, _, err := rounds.BoundsOf(p, nil)
			require.NoError(b, err)
			var g *provenance.Graph
			b.ReportAllocs()
			for b.Loop() {
				g, err = provenance.Evaluate(context.Background(), p, bounds, provenance.Options{Only: []string{"pre", "post", "violation"}})
				require.NoError(b, err)
			}
			b.ReportMetric(float64(g.TotalFacts()), "facts")
			b.ReportMetric(float64(g.TotalFirings()), "firings")
			b.ReportMetric(float64(g.Circuit.Gates()), "gates")
		})
	}
}
