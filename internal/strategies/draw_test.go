package strategies

import (
	"flag"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

var three = []string{"a", "b", "c"}

// drawnFrom goes through all random choices of what draws schedules, and demands
// that it draws those within the bounds alone, each with the probability that it
// promises. It returns the least of these probabilities.
func drawnFrom(t *testing.T, of func(rounds.Bounds) drawn, b rounds.Bounds) (least *big.Rat, all map[string]*big.Rat) {
	d := of(b.Normal())
	left := oracle.Distribution(d.draw)
	all = map[string]*big.Rat{}
	sum := new(big.Rat)
	for s := range schedules.New(b).All() {
		p := left[s.String()]
		require.NotNil(t, p, "%v: %q is never drawn", b, s)
		require.GreaterOrEqual(t, p.Cmp(d.least), 0, "%v: %q has the probability %v, and not %v", b, s, p, d.least)
		if least == nil || p.Cmp(least) < 0 {
			least = p
		}
		sum.Add(sum, p)
		all[s.String()] = p
		delete(left, s.String())
	}
	require.Empty(t, left, "%v", b)
	require.Equal(t, "1", sum.RatString(), "%v", b)
	return least, all
}

// small returns bounds with few schedules and, of what the strategies draw, few
// random choices.
func small(r *rand.Rand) rounds.Bounds {
	budget := func(most int) int {
		return []int{0, 0, rounds.Unlimited, 1 + r.IntN(most)}[r.IntN(4)]
	}
	for {
		b := rounds.Bounds{
			Processes: []string{"c", "a", "b"}[:1+r.IntN(3)],
			EOT:       1 + r.IntN(4), EFF: r.IntN(4), Period: 1 + r.IntN(3),
			Crashes: budget(2), Omissions: budget(2), Isolations: budget(3), Pauses: budget(1), Restarts: budget(1),
			CrashStop: true,
		}
		if r.IntN(2) == 0 {
			b.Points = map[string][]string{b.Processes[0]: {"stored"}}
		}
		if r.IntN(3) == 0 {
			b.Processes, b.Partitions = []string{"c", "a", "b", "d"}[:3+r.IntN(2)], budget(2)
		}
		if r.IntN(3) == 0 {
			b.Cuts = budget(2)
		}
		b = oracle.Begin(r, oracle.Assume(r, b))
		if n := schedules.Count(b); n.IsInt64() && n.Int64() <= 300 {
			return b
		}
	}
}

func TestEachScheduleHasItsProbability(t *testing.T) {
	random, most := 5, 1 // random bounds, and partitions that spread draws
	if long, err := strconv.Atoi(flag.Lookup("long").Value.String()); err == nil && long >= 12 {
		random, most = 15, 2
	}
	for name, of := range map[string]func(rounds.Bounds) drawn{"uniform": drawUniform, "sample": drawSample, "spread": drawSpread} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(5, 6))
			for range random {
				b := small(r)
				least, _ := drawnFrom(t, of, b)
				if name == "uniform" {
					require.Equal(t, oneIn(schedules.Count(b)), least, "%v", b)
				}
			}
		})
	}
	t.Run("of every kind", func(t *testing.T) {
		points := map[string][]string{"a": {"stored"}}
		for _, b := range []rounds.Bounds{
			{Processes: three[:1], EOT: 2, Crashes: 2, Restarts: 2, Points: points},
			{Processes: three[:2], EOT: 1, Crashes: 2, Restarts: 1, Points: points},
			{Processes: three[:1], EOT: 2, Crashes: rounds.Unlimited, Restarts: rounds.Unlimited, Points: points},
			{Processes: []string{"a", "b", "c", "d"}, EOT: 1, Partitions: 1, Isolations: 1},
			{Processes: []string{"a", "b", "c", "d"}, EOT: 1, Partitions: 2},
			{Processes: []string{"a", "b", "c", "d"}, EOT: 1, Partitions: rounds.Unlimited},
			{Processes: []string{"a", "b", "c", "d"}, EOT: 1, Partitions: 1, Isolations: rounds.Unlimited, Reliable: []string{"a>b", "b>a"}},
			{Processes: three, EOT: 2, Partitions: 1, Isolations: 1},
			{Processes: three[:2], EOT: 2, Omissions: 2, Kinds: []string{"x", "y"}},
			{Processes: three[:2], EOT: 2, Omissions: 1, Cuts: 1, Period: 2, Kinds: []string{"x"}},
			{Processes: three[:2], EOT: 2, Omissions: 1, Delays: 1, Duplicates: 1, Kinds: []string{"x"}},
		} {
			drawnFrom(t, drawUniform, b)
			drawnFrom(t, drawSample, b)
			if len(b.Processes) != 2 && (most > 1 || b.Partitions == 0 || b.Partitions == 1) { // there are too many random choices
				drawnFrom(t, drawSpread, b)
			}
		}
	})
	t.Run("drop", func(t *testing.T) {
		b := rounds.Bounds{Processes: three[:2], EOT: 3, Omissions: rounds.Unlimited}
		require.NoError(t, refuseDrop(b))
		least, _ := drawnFrom(t, drawDrop, b)
		require.Equal(t, "1/4096", least.String())
		b.Kinds, b.EOT = []string{"x", "y"}, 2
		require.NoError(t, refuseDrop(b))
		least, _ = drawnFrom(t, drawDrop, b)
		require.Equal(t, "1/20736", least.String()) // 12 to the power of 4
	})
}

// Algorithm 1 of the paper, of up to d isolations: Proposition 6.1 holds but for
// d = 1, where there are more executions than the proposition has room for.
func TestPropositionOfThePaper(t *testing.T) {
	for _, b := range []rounds.Bounds{
		{Processes: three, EOT: 4, Isolations: 2, Period: 2},
		{Processes: three, EOT: 4, Isolations: 3, Period: 2},
		{Processes: three, EOT: 3, Isolations: 2, Period: 2},
		{Processes: three, EOT: 3, Isolations: 3, Period: 1},
		{Processes: three[:2], EOT: 4, Isolations: 4, Period: 2},
	} {
		least, _ := drawnFrom(t, drawSample, b)
		bound := big.NewRat(1, 1)
		for range b.Isolations {
			bound.Mul(bound, big.NewRat(1, int64(len(b.Processes)*b.EOT)))
		}
		require.GreaterOrEqual(t, least.Cmp(bound), 0, "%v", b)
		require.GreaterOrEqual(t, drawSample(b).least.Cmp(bound), 0, "%v", b)
	}
}

// The algorithm of the paper draws executions with two isolations in one phase more
// often than others, spread less often.
func TestNotUniform(t *testing.T) {
	b := rounds.Bounds{Processes: three, EOT: 4, Isolations: 2, Period: 2}
	_, all := drawnFrom(t, drawSample, b)
	require.Equal(t, -1, all["isolate a@1..2; isolate b@4"].Cmp(all["isolate a@1..2; isolate b@2"]))
	_, all = drawnFrom(t, drawSpread, b)
	require.Equal(t, oneIn(big.NewInt(8*schedules.Count(b).Int64())), all["isolate a@1..2; isolate b@2"])
	require.Equal(t, 1, all["isolate a@1..2; isolate b@4"].Cmp(all["isolate a@1..2; isolate b@2"]))
}

func TestRefuseDrop(t *testing.T) {
	for _, b := range []rounds.Bounds{
		{Isolations: 2}, {Omissions: 5}, {Omissions: rounds.Unlimited, Crashes: 1}, {Omissions: rounds.Unlimited, Pauses: 1}, {},
	} {
		b.Processes, b.EOT = three, 4
		require.ErrorContains(t, refuseDrop(b), "omissions=unlimited")
	}
}

// What is said of so many executions is what they have: by multiplication.
func TestPromise(t *testing.T) {
	for _, c := range []struct {
		in         int64
		executions int
		chance     string
		enough     int64
	}{
		{1, 1, "99.9 %", 1},
		{1, 0, "0", 1},
		{3321, 1000, "26 %", 9948},
		{3321, 9948, "95 %", 9948},
		{3321, 10, "1 in 333", 9948},
		{60, 1000, "99.9 %", 179},
		{1_000_000_000_000_000, 1000, "1 in about 1.0·10^12", 3_000_000_000_000_001},
	} {
		each := big.NewRat(1, c.in)
		require.Equal(t, c.chance, chance(each, c.executions), "%+v", c)
		require.Equal(t, c.enough, enough(each).Int64(), "%+v", c)
		missed := 1.0
		for range min(c.executions, 100_000) {
			missed *= 1 - 1/float64(c.in)
		}
		require.InDelta(t, 1-missed, met(each, c.executions), 1e-9)
		require.Less(t, met(each, c.executions), 1.0)
	}
	for in, want := range map[int64]string{
		300_000:   "; with 898,719 executions that is 95 %",
		9_000_000: "; 95 % takes 26,961,589 executions: allow fewer faults or rounds",
	} {
		var r result.Search
		Promise(&r, 1000, big.NewRat(1, in))
		require.Regexp(t, want+"$", r.Guarantee)
	}
	tiny := oneIn(new(big.Int).Exp(big.NewInt(10), big.NewInt(367), nil))
	require.Equal(t, "1 in about 1.0·10^363", chance(tiny, 10_000))
	require.Zero(t, met(tiny, 10_000))
}
