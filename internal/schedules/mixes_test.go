package schedules

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMixes(t *testing.T) {
	for first := range 7 {
		for second := range 7 {
			n := 0
			for ways := range mixesOf(first, second) {
				want, term := new(big.Int), new(big.Int)
				for k := max(n-second, 0); k <= min(n, first); k++ {
					want.Add(want, term.Binomial(int64(n), int64(k)))
				}
				require.Zero(t, want.Cmp(ways), "%d of %d and %d: %v", n, first, second, ways)
				n++
			}
			require.Equal(t, first+second+1, n)
		}
	}
}
