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

// BySize and ByChoices yield what All yields, in the order of All, by the number of
// faults, and then of choices.
func TestBySize(t *testing.T) {
	r := rand.New(rand.NewPCG(63, 64))
	for range 150 {
		b := randomBounds(r, 400)
		switch r.IntN(3) {
		case 0:
			b = assumeNetwork(r, rounds.Bounds{Processes: b.Processes, EOT: 3, EFF: b.EFF, Omissions: 1, Crashes: 1, Restarts: 1, Pauses: 1})
		case 1:
			b.Choices = r.IntN(4) - 1
			b.Choose = []rounds.Choice{
				{Mode: "one", Of: chosenFacts(t, "choose coin(a, 0)@1; choose coin(a, 1)@1; choose coin(a, 2)@1")},
				{Mode: "some", Of: chosenFacts(t, "choose x(1)@1; choose x(2)@1")},
			}
		}
		u := schedules.New(b)
		sizes := map[int][]string{}
		byChoices := map[[2]int][]string{}
		largest := 0
		for s := range u.All() {
			sizes[s.Size()] = append(sizes[s.Size()], s.String())
			byChoices[[2]int{s.Size(), s.Choices()}] = append(byChoices[[2]int{s.Size(), s.Choices()}], s.String())
			largest = max(largest, s.Size())
		}
		next := 0
		for size, list := range u.BySize() {
			require.Equal(t, next, size)
			var got []string
			for s := range list {
				got = append(got, s.String())
			}
			require.Equal(t, sizes[size], got, "%v: %d faults", b, size)
			next++
		}
		require.Greater(t, next, largest, "%v", b)
		var want, got []string
		for size := range largest + 1 {
			for choices := range 9 {
				want = append(want, byChoices[[2]int{size, choices}]...)
			}
		}
		for s := range u.ByChoices() {
			got = append(got, s.String())
		}
		require.Equal(t, want, got, "%v", b)
	}
}

// A process that crashes may have to be back at once: then one fault is no schedule, and
// two are.
func TestSizesWithGaps(t *testing.T) {
	b := rounds.Bounds{Processes: three, EOT: 2, Crashes: 1, Restarts: 1, Deliver: "3"}
	var counts []int
	for _, list := range schedules.New(b).BySize() {
		n := 0
		for range list {
			n++
		}
		counts = append(counts, n)
	}
	require.Equal(t, []int{1, 0, 6}, counts)
	ordered := 0
	for _, ok := range schedules.New(b).InOrder(t.Context(), 100) {
		require.True(t, ok)
		ordered++
	}
	require.Equal(t, 7, ordered)
}
