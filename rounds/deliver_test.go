package rounds_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// From how many of five processes, two of which can crash, each receives.
func TestDeliver(t *testing.T) {
	five := rounds.Bounds{Processes: []string{"a", "b", "c", "d", "e"}, EOT: 1, Crashes: 2}
	for text, want := range map[string]int{"": 0, "none": 0, "n-f": 3, "n-1": 4, "n-0": 5, "majority": 3, "1": 1, "5": 5} {
		five.Deliver = text
		require.NoError(t, five.Validate())
		got, _ := five.Network()
		require.Equal(t, want, got, text)
	}
	five.Deliver, five.Crashes = "n-f", rounds.Unlimited
	got, _ := five.Network()
	require.Zero(t, got, "all can crash")
	for _, text := range []string{"0", "6", "n-5", "n", "n-", "f", "n-f-1", "-1", "+2", "n--1", "most"} {
		five.Deliver = text
		require.ErrorContains(t, five.Validate(), "bounds: deliver="+text, text)
	}
}
