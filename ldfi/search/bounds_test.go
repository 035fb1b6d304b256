package search_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// Who asks says what may go wrong, else the system does, else there are two
// isolations in four phases.
func TestDefaultBounds(t *testing.T) {
	s := replog.Fixed()
	three := []string{"p1", "p2", "p3"}
	asked := rounds.Bounds{Crashes: 2}
	require.Equal(t, rounds.Bounds{Processes: three, EOT: 16, Crashes: 2, CrashStop: true}, search.DefaultBounds(s, asked))
	require.Equal(t, rounds.Bounds{Processes: three, EOT: 16, Isolations: 2, Period: 4, CrashStop: true}, search.DefaultBounds(s, rounds.Bounds{}))

	s.Faults = rounds.Bounds{Isolations: 3, Period: 8, Pauses: 1}
	require.Equal(t, rounds.Bounds{Processes: three, EOT: 8, Isolations: 3, Period: 8, Pauses: 1, CrashStop: true}, search.DefaultBounds(s, rounds.Bounds{EOT: 8}))
	require.Equal(t, rounds.Bounds{Processes: three, EOT: 16, Crashes: 2, CrashStop: true}, search.DefaultBounds(s, asked))

	s.Faults.Crashes = -5
	require.ErrorContains(t, s.Validate(), "Faults: ")
}
