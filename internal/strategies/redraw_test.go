package strategies

import (
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// What is left of a schedule without one of its faults is a schedule within the
// bounds, whichever that is.
func TestWithout(t *testing.T) {
	b := rounds.Bounds{
		Processes: []string{"a", "b", "c", "d"}, EOT: 8, Crashes: 4, Restarts: 4, Partitions: 2, Isolations: 1, Period: 3,
		Points: map[string][]string{"b": {"stored"}},
	}
	u, r := schedules.New(b), rand.New(rand.NewPCG(1, 2))
	for range 500 {
		s := u.Random(r)
		for i, f := range s.Faults {
			fewer := schedules.WithoutTurn(s, i)
			require.NoError(t, schedules.Within(fewer, b), "%s without %s", s, f)
			require.Less(t, fewer.Size(), s.Size())
			require.GreaterOrEqual(t, fewer.Size(), s.Size()-2)
			require.NotContains(t, fewer.Faults, f)
		}
	}
}
