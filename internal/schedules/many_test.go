package schedules_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// As many processes as can be parted at all: 32,751 partitions in each phase.
func TestPartitionsOfMany(t *testing.T) {
	b := rounds.Bounds{EOT: 40, Partitions: 2, Period: 10}
	for i := range 16 {
		b.Processes = append(b.Processes, fmt.Sprint("p", i))
	}
	require.NoError(t, b.Validate())
	u, r := schedules.New(b), rand.New(rand.NewPCG(1, 2))
	draw := u.Uniform()
	for range 20 {
		for _, s := range []rounds.Schedule{draw.Draw(schedules.Dice{Rand: r}), u.Random(r)} {
			units, err := u.Units(s)
			require.NoError(t, err)
			require.Equal(t, s, u.Schedule(func(unit int) bool { return len(units) > 0 && (unit == units[0] || unit == units[len(units)-1]) }))
		}
	}
	count := 0
	for s := range u.AtMost(1) {
		require.LessOrEqual(t, s.Size(), 1)
		if count++; count == 3000 {
			break
		}
	}
	require.Equal(t, 3000, count)

	b.Processes = append(b.Processes, "q")
	require.ErrorContains(t, b.Validate(), "partitions go with at most 16 processes")
	b.Processes = b.Processes[:2]
	require.ErrorContains(t, b.Validate(), "2 processes cannot be parted in two but by an isolation: use isolations")
}
