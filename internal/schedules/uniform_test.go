package schedules_test

import (
	"flag"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// uniformly demands that each schedule within the bounds, as All goes through
// them, has the probability one in so many, and no other has any.
func uniformly(t *testing.T, b rounds.Bounds) {
	u := schedules.New(b)
	each := new(big.Rat).SetFrac(big.NewInt(1), schedules.Count(b))
	got := oracle.Distribution(u.Uniform().Draw)
	for s := range u.All() {
		p := got[s.String()]
		require.NotNil(t, p, "%v: %q is never drawn", b, s)
		require.Zero(t, each.Cmp(p), "%v: %q has the probability %v", b, s, p)
		delete(got, s.String())
	}
	require.Empty(t, got, "%v", b)
}

var campaign = oracle.NewCampaign()

// Of what goes through very many random choices there is a smaller one of the same kind
// beside it; with -all both are looked at, and more random bounds.
func TestUniform(t *testing.T) {
	points, four := map[string][]string{"a": {"stored", "sent"}, "b": {"sent"}}, []string{"a", "b", "c", "d"}
	for _, b := range []rounds.Bounds{
		{Processes: three, EOT: 4, Isolations: 2, Period: 2},
		{Processes: three, EOT: 5, Isolations: 2, Period: 2},
		{Processes: three, EOT: 5, Isolations: 3, Period: 3},
		{Processes: three, EOT: 3, Isolations: rounds.Unlimited, Period: 2},
		{Processes: three, EOT: 2, EFF: 2, Omissions: 4},
		{Processes: three, EOT: 4, Crashes: 2},
		{Processes: three, EOT: 3, Crashes: 2, Restarts: 1},
		{Processes: three, EOT: 2, Crashes: rounds.Unlimited, Restarts: rounds.Unlimited},
		{Processes: three, EOT: 3, Crashes: 1, Restarts: 3, Pauses: 1, Period: 2},
		{Processes: three[:2], EOT: 3, Crashes: 1, Isolations: 1, Pauses: 1, Omissions: 1, Restarts: 1, EFF: 3, Period: 2},
		{Processes: three, EOT: 2, EFF: 1, Isolations: 2},
		{Processes: three[:1], EOT: 2, Omissions: rounds.Unlimited, Restarts: 1},
		{Processes: three, EOT: 2},
		{Processes: three[:1], EOT: 3, Crashes: 3, Restarts: 2},
		{Processes: three[:2], EOT: 2, Crashes: 3, Restarts: 1, Points: points},
		{Processes: three[:2], EOT: 2, Crashes: rounds.Unlimited, Restarts: rounds.Unlimited, Points: map[string][]string{"a": {"stored"}}},
		{Processes: three, EOT: 2, Crashes: 2, Points: points},
		{Processes: three, EOT: 2, Crashes: 2, Restarts: 2, Points: points, NeverCrash: []string{"b"}},
		{Processes: four, EOT: 3, Partitions: 1, Isolations: 1, Period: 2},
		{Processes: four, EOT: 1, Partitions: 2, Isolations: 1},
		{Processes: four, EOT: 1, Partitions: rounds.Unlimited, Reliable: []string{"*>d", "d>*", "a>b", "b>a"}},
		{Processes: four, EOT: 1, Partitions: 1, Isolations: rounds.Unlimited},
		{Processes: three, EOT: 2, Partitions: 1, Isolations: 1},
		{Processes: []string{"a", "b", "c", "d", "e"}, EOT: 2, Partitions: 1, Period: 2},
		{Processes: three, EOT: 5, FastClocks: 2, SlowClocks: 1, Period: 2},
		{Processes: three[:2], EOT: 4, FastClocks: 1, SlowClocks: rounds.Unlimited, Period: 3},
		{Processes: three[:2], EOT: 4, FastClocks: rounds.Unlimited, SlowClocks: rounds.Unlimited, Period: 3},
		{Processes: three, EOT: 3, EFF: 3, SlowClocks: 2, FailedSyncs: 1, Jumps: 1, MaxJump: 2},
		{Processes: three[:2], EOT: 3, Jumps: rounds.Unlimited, MaxJump: 3},
		{Processes: three, EOT: 3, Crashes: 2, Disks: true},
		{Processes: three[:1], EOT: 2, Crashes: 2, Restarts: 1, Points: points, Disks: true},
		{Processes: three[:2], EOT: 1, Crashes: rounds.Unlimited, Restarts: rounds.Unlimited, Points: map[string][]string{"a": {"x"}, "b": {"y"}}, Disks: true},
		{Processes: three[:2], EOT: 4, Delays: 2, MaxDelay: 2},
		{Processes: three[:2], EOT: 3, Duplicates: 2, Omissions: 1, MaxDelay: 3},
		{Processes: three[:2], EOT: 4, Reliable: []string{"*>a"}, Delays: 2, Duplicates: 1, Omissions: 2, MaxDelay: 2},
		{Processes: three[:2], EOT: 4, Reliable: []string{"*>a"}, Delays: rounds.Unlimited, Duplicates: 1, Omissions: rounds.Unlimited, MaxDelay: 2},
		{Processes: three[:2], EOT: 4, Reliable: []string{"*>a"}, Delays: rounds.Unlimited, Duplicates: rounds.Unlimited, Omissions: 2, MaxDelay: 2},
		{Processes: three[:2], EOT: 3, EFF: 3, Delays: rounds.Unlimited, Duplicates: rounds.Unlimited, Omissions: rounds.Unlimited},
		{Processes: three, EOT: 3, EFF: 2, Delays: 2, Duplicates: 2, MaxDelay: 2, Reliable: []string{"*>a"}},
		{Processes: four, EOT: 2, Orders: 2},
		{Processes: three, EOT: 4, Crashes: 2, Joins: map[string]int{"b": 3}},
		{Processes: three, EOT: 3, Crashes: 2, Restarts: 1, Joins: map[string]int{"a": 2, "c": 3}},
		{Processes: three[:2], EOT: 4, Omissions: 2, Joins: map[string]int{"b": 2}},
		{Processes: three[:2], EOT: 5, Omissions: rounds.Unlimited, Joins: map[string]int{"b": 3}},
		{Processes: three[:2], EOT: 5, Omissions: 2, Delays: 2, Duplicates: 1, MaxDelay: 2, Joins: map[string]int{"b": 3}},
		{Processes: three, EOT: 3, Omissions: rounds.Unlimited, Delays: 1, Joins: map[string]int{"a": 3, "c": 2}},
		{Processes: three[:2], EOT: 4, Omissions: rounds.Unlimited, Delays: rounds.Unlimited, Duplicates: rounds.Unlimited, Joins: map[string]int{"a": 2}},
		{Processes: three, EOT: 5, Isolations: 2, Period: 3, Joins: map[string]int{"b": 2, "c": 5}},
		{Processes: three, EOT: 3, Isolations: rounds.Unlimited, Period: 3, Joins: map[string]int{"c": 3}},
		{Processes: four, EOT: 3, Isolations: 1, Partitions: 1, Period: 2, Joins: map[string]int{"c": 2}},
		{Processes: three, EOT: 5, Cuts: 1, Crashes: 1, EFF: 5, Period: 4, Joins: map[string]int{"a": 4}},
	} {
		uniformly(t, b)
	}
	if flag.Lookup("all").Value.String() == "true" {
		uniformly(t, rounds.Bounds{Processes: three[:2], EOT: 2, Crashes: rounds.Unlimited, Restarts: rounds.Unlimited, Points: points})
		uniformly(t, rounds.Bounds{Processes: three, EOT: 4, Omissions: rounds.Unlimited, Delays: 1, Joins: map[string]int{"a": 3, "c": 2}})
	}
	r := rand.New(rand.NewPCG(21, 22))
	for range campaign.Programs(40) {
		uniformly(t, randomBounds(r, 1200))
	}
}

// What is drawn by random numbers follows the weights.
func TestDice(t *testing.T) {
	b := rounds.Bounds{Processes: three, EOT: 4, Isolations: 2, Period: 2, Crashes: 1, Restarts: 1}
	draw := schedules.New(b).Uniform()
	counts := map[string]int{}
	random := schedules.Dice{Rand: rand.New(rand.NewPCG(1, 2))}
	const each = 20
	cells := int(schedules.Count(b).Int64())
	for range each * cells {
		counts[draw.Draw(random).String()]++
	}
	require.Len(t, counts, cells)
	squares := 0.0
	for _, n := range counts {
		squares += float64((n - each) * (n - each))
	}
	// Chi squared has the mean cells and the variance 2 cells.
	require.InDelta(t, cells, squares/each, 4*1.42*float64(cells)/20)
}

// places gives the binary places of a number, 64 at a time.
type places []uint64

func (p *places) Uint64() uint64 {
	next := (*p)[0]
	*p = (*p)[1:]
	return next
}

// The first 64 binary places are those of the beginning of a share: the next
// decide on which side the number lies.
func TestDiceGoOnWhereTheFirstPlacesDoNotDecide(t *testing.T) {
	const third = ^uint64(0) / 3 // 0.0101...
	weights := schedules.NewWeights(slices.Values([]*big.Int{big.NewInt(1), big.NewInt(2)}))
	for _, c := range []struct {
		drawn places
		place int
	}{
		{places{third - 1}, 0}, {places{third + 1}, 1},
		{places{third, third - 1}, 0}, {places{third, third + 1}, 1},
		{places{third, third, third, 0}, 0}, {places{third, third, third, ^uint64(0)}, 1},
		{places{0, 0}, 0}, {places{^uint64(0)}, 1},
	} {
		all := c.drawn
		require.Equal(t, c.place, schedules.Dice{Rand: rand.New(&c.drawn)}.Pick(weights), "%x", all)
		require.Empty(t, c.drawn, "%x", all)
	}
}

// Bounds with more schedules than any number has digits are drawn from as well.
func TestUniformOfMany(t *testing.T) {
	nine := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"}
	for _, b := range []rounds.Bounds{
		{Processes: nine, EOT: 100, Crashes: 4, Restarts: 2, Isolations: 8, Omissions: 3000, Pauses: 5, Period: 7},
		{Processes: nine, EOT: 100, Crashes: 9, Restarts: 7, Partitions: 3, Isolations: 2, Period: 10, Points: map[string][]string{"c": {"stored", "sent"}}},
		{Processes: nine, EOT: 100, Crashes: 4, Restarts: 2, Isolations: 8, Omissions: 3000, Cuts: 5, Period: 7, Joins: map[string]int{"b": 20, "i": 99}},
		{Processes: nine, EOT: 100, Crashes: -1, Restarts: -1, Isolations: -1, Omissions: -1, Pauses: -1, Period: 7},
	} {
		random := schedules.Dice{Rand: rand.New(rand.NewPCG(3, 4))}
		draw := schedules.New(b).Uniform()
		for range 3 {
			require.NoError(t, schedules.Within(draw.Draw(random), b))
		}
	}
}

func BenchmarkUniform(b *testing.B) {
	nine := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"}
	for name, bounds := range map[string]rounds.Bounds{
		"isolations": {Processes: three, EOT: 25, Isolations: 3, Period: 10},
		"crashes":    {Processes: three, EOT: 25, Isolations: 3, Period: 10, Crashes: 1, Restarts: 1},
		"many":       {Processes: nine, EOT: 100, Crashes: 4, Restarts: 2, Isolations: 8, Omissions: 100, Period: 7},
		"unlimited":  {Processes: nine, EOT: 100, Omissions: rounds.Unlimited},
	} {
		draw := schedules.New(bounds).Uniform()
		random := schedules.Dice{Rand: rand.New(rand.NewPCG(1, 2))}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				draw.Draw(random)
			}
		})
	}
}
