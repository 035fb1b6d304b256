package schedules_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/stretchr/testify/require"
)

func TestMoreTicks(t *testing.T) {
	for ticks := range 5 {
		fast, slow := 0, 0
		for round := 1; round <= 10; round++ {
			require.Zero(t, schedules.MoreTicks(ticks, 0, 0, round))
			require.Equal(t, 3*ticks, schedules.MoreTicks(ticks, 0, 3, round))
			require.Equal(t, schedules.MoreTicks(ticks, -1, 0, round)+2*ticks, schedules.MoreTicks(ticks, -1, 2, round))
			fast += ticks + schedules.MoreTicks(ticks, 1, 0, round)
			slow += ticks + schedules.MoreTicks(ticks, -1, 0, round)
			require.Equal(t, 2*ticks*round, fast)
			require.Equal(t, ticks*round/2, slow, "%d ticks, round %d", ticks, round)
		}
	}
}
