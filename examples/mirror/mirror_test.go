package mirror_test

import (
	"context"
	"testing"

	"github.com/lineage-driven/ldfi/examples/mirror"
	"github.com/lineage-driven/ldfi/ldfi/ldfitest"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// TestMirror finds nothing, whatever clients ask. The schedule in testdata/ldfi is
// one that broke the hasty mirror; it is executed first.
func TestMirror(t *testing.T) {
	ldfitest.Run(t, mirror.Patient(), ldfitest.Choices(2))
}

// Every strategy comes to the mistake, and to the two requests and the loss that it
// takes. The repaired mirror is certified where a strategy can.
func TestStrategies(t *testing.T) {
	certifies := map[string]bool{"exhaustive": true, "learn": true, "enumerate": true}
	for _, strategy := range []string{"exhaustive", "learn", "enumerate", "lineage", "spread", "uniform", "sample"} {
		t.Run(strategy, func(t *testing.T) {
			o := search.Options{Strategy: strategy, Bounds: rounds.Bounds{Omissions: 1, Choices: 3}, Executions: 20_000}
			a, err := search.Run(context.Background(), mirror.Hasty(), o)
			require.NoError(t, err)
			require.Equal(t, result.Violated, a.Verdict)
			found := a.First().Schedule
			require.Equal(t, 1, found.Size(), "%s", found)
			require.Equal(t, 2, found.Choices(), "%s", found)

			o.Executions = 2_000
			if certifies[strategy] {
				o.Executions = 20_000
			}
			a, err = search.Run(context.Background(), mirror.Patient(), o)
			require.NoError(t, err)
			if !certifies[strategy] {
				require.Equal(t, result.Inconclusive, a.Verdict)
				return
			}
			require.Equal(t, result.Holds, a.Verdict)
			require.EqualValues(t, 11*(1+15+15*14/2+15*14*13/6), a.Search.Certificate.Schedules.Int64()) // 10 links and rounds, 15 requests
		})
	}
}

// It takes a request as well as the loss: nothing is violated without either.
func TestNeeded(t *testing.T) {
	for _, b := range []rounds.Bounds{{Omissions: 2, Choices: 1}, {Crashes: 1, Choices: 3}} {
		a, err := search.Run(context.Background(), mirror.Hasty(), search.Options{Bounds: b})
		require.NoError(t, err)
		require.Equal(t, result.Holds, a.Verdict, "%v", a.First())
	}
}
