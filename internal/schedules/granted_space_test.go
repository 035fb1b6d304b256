package schedules

import (
	"math/big"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/rounds"
)

// The sets of messages that are lost in one round of five processes, all 2^20 of
// them, tried one by one.
func TestCountsOfARound(t *testing.T) {
	const n = 5
	var majority, kernel, both int64
	for set := range 1 << (n * (n - 1)) {
		var from [n]uint32 // by receiver
		i := 0
		for p := range n {
			from[p] = 1<<p | from[p]
			for q := range n {
				if p != q {
					if set>>i&1 == 0 {
						from[q] |= 1 << p
					}
					i++
				}
			}
		}
		enough, some := true, false
		for p := range n {
			enough = enough && bits.OnesCount32(from[p]) >= 3
			all := from[p] == 1<<n-1
			for q := range n {
				all = all && from[q]>>p&1 == 1
			}
			some = some || all
		}
		if enough {
			majority++
		}
		if some {
			kernel++
		}
		if enough && some {
			both++
		}
	}
	for network, want := range map[network]int64{{least: 3}: majority, {kernel: true}: kernel, {least: 3, kernel: true}: both} {
		s := &grantedSpace{Processes: n, Rounds: 2, LastLoss: 1, Period: 1, network: network, Lossy: func(int, int) bool { return true },
			Mortal: make([]bool, n), Points: make([]int, n), Outcomes: 1}
		s.Budgets[omissionBudget] = rounds.Unlimited
		c, err := newGrantedCounts(s)
		require.NoError(t, err)
		require.Equal(t, big.NewInt(want), c.Total(), "%+v", network)
	}
}
