package rounds_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// Counts that are known otherwise.
func TestScenariosOfNewKinds(t *testing.T) {
	one, four := []string{"a"}, []string{"a", "b", "c", "d"}
	points := map[string][]string{"a": {"stored", "sent"}}
	for want, b := range map[string]rounds.Bounds{
		"14":  {Processes: one, EOT: 3, Crashes: 2, Restarts: 1},
		"8":   {Processes: four, EOT: 1, Partitions: 1},
		"10":  {Processes: one, EOT: 3, Crashes: 1, Points: points},    // nothing, or one of three in one of three rounds
		"7":   {Processes: three, EOT: 2, Partitions: 1},               // an isolation
		"128": {Processes: four, EOT: 1, Partitions: rounds.Unlimited}, // any set of the seven
		"15":  {Processes: four, EOT: 2, Partitions: 1, Period: 2},     // seven from either round on
		"21":  {Processes: one, EOT: 3, Crashes: -1, Restarts: -1},     // Fibonacci: those in turn of 2·3 instants
	} {
		require.NoError(t, b.Validate())
		require.Equal(t, want, schedules.Count(b).String(), "%v", b)
	}
}
