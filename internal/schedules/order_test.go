package schedules_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// InOrder yields what All yields, fewest faults first, and says where it leaves off.
func TestInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	for range 150 {
		b := randomBounds(r, 400)
		if r.IntN(3) == 0 {
			b = assumeNetwork(r, rounds.Bounds{Processes: b.Processes, EOT: 3, EFF: b.EFF, Omissions: 2, Crashes: b.Crashes % 2})
		}
		u := schedules.New(b)
		var want, got []string
		for s := range u.All() {
			want = append(want, s.String())
		}
		var last []int
		for set, ok := range u.InOrder(t.Context(), len(want)) {
			require.True(t, ok, "%v", b)
			require.True(t, got == nil || u.Compare(last, set) < 0, "%v: %v before %v", b, last, set)
			require.LessOrEqual(t, len(u.Faults(last)), len(u.Faults(set)))
			last = set
			got = append(got, u.Schedule(func(unit int) bool { return slices.Contains(set, unit) }).String())
		}
		require.ElementsMatch(t, want, got, "%v", b)
		if len(want) < 2 {
			continue
		}
		count, left := 0, false
		for _, ok := range u.InOrder(t.Context(), len(want)-1) {
			if left = !ok; ok {
				count++
			}
		}
		require.True(t, left, "%v", b)
		require.Less(t, count, len(want))
	}
}

// A context that ends is seen before all schedules are listed.
func TestInOrderEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	u := schedules.New(rounds.Bounds{Processes: []string{"a", "b", "c", "d", "e"}, EOT: 20, EFF: 20, Omissions: 3})
	count := 0
	for _, ok := range u.InOrder(ctx, 100_000_000) {
		if count++; count == 10 {
			cancel()
		}
		if !ok {
			count = -count
		}
	}
	require.Negative(t, count)
	require.Greater(t, count, -1000)
}
