package harness_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/adapters/hashicorpraft/harness"
	"github.com/lineage-driven/ldfi/internal/remote"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/wire"
)

// TestMain makes a host of the program if it was started as one.
func TestMain(m *testing.M) {
	if os.Getenv("HOST") == "" {
		os.Exit(m.Run())
	}
	if err := wire.Serve(harness.All()...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// BenchmarkRounds says what the rounds of a search are executed for, by hosts as ldfi
// run starts them, and what it finds. The library has issue 524 up to v1.3.10: a leader
// does not step down for a server that was a voter and has a later term. In the
// directory of the adapter, with GOFLAGS=$(ldfi overlay),
//
//	../versions github.com/hashicorp/raft@v1.3.10 ./harness -run '^$' -bench Rounds -benchtime 1x -args -only members -seed 2 -long 300
func BenchmarkRounds(b *testing.B) {
	b.Setenv("HOST", "yes")
	program, err := os.Executable()
	require.NoError(b, err)
	for _, s := range clusters() {
		b.Run(s.Name, func(b *testing.B) {
			for range b.N {
				host, err := remote.Start(b.Context(), "'"+program+"'", remote.Options{})
				require.NoError(b, err)
				hosted, err := host.System(s.Name)
				require.NoError(b, err)
				spent := &search.Spent{}
				a, err := hosted.Search(b.Context(), search.Options{Strategy: *strategy, Seed: *seed, Executions: max(*long, 3), Spent: spent})
				require.NoError(b, err)
				require.NoError(b, host.Close())
				b.Log(a.Summary())
				all := 0
				for what, rounds := range spent.Rounds(a.Search.Executions - 1) {
					b.ReportMetric(float64(rounds), strings.NewReplacer(" ", "-", ",", "").Replace(what)+"-rounds")
					all += rounds
				}
				b.ReportMetric(float64(all), "all-rounds")
			}
		})
	}
}
