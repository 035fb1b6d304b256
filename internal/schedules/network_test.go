package schedules_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// granted tells whether a schedule is as the bounds take for granted of each round,
// word by word as docs/faults.md says it, given what arrives.
func granted(t *testing.T, b rounds.Bounds, s rounds.Schedule) bool {
	t.Helper()
	free := b
	free.Deliver, free.Kernel = "", ""
	e, err := schedules.NewEnvironment(free, s)
	require.NoError(t, err)
	n, f := len(b.Processes), b.Crashes
	if f == rounds.Unlimited {
		f = n
	}
	least := map[string]int{"": 1, "majority": n/2 + 1, "n-f": n - min(f, n-len(b.NeverCrash)), "n-0": n, "n-1": n - 1, "1": 1, "2": 2, "3": 3}[b.Deliver]
	for round := 1; round <= b.EOT; round++ {
		var up []int
		for p, name := range b.Processes {
			if !outOf(s, name, round) {
				up = append(up, p)
			}
		}
		arrives := func(from, to int) bool { return from == to && !b.OwnLost || e.Delivers(from, to, round) }
		for _, p := range up {
			from := slices.DeleteFunc(slices.Clone(up), func(q int) bool { return !arrives(q, p) })
			if len(from) < least {
				return false
			}
		}
		kernel := slices.ContainsFunc(up, func(k int) bool {
			return !slices.ContainsFunc(up, func(p int) bool { return !arrives(k, p) || !arrives(p, k) })
		})
		if b.Kernel == "yes" && !kernel {
			return false
		}
	}
	return true
}

// outOf tells whether a process takes no part in a round: it has crashed, perhaps
// within the round, or stands still.
func outOf(s rounds.Schedule, process string, round int) bool {
	down := false
	for at := 1; at <= round; at++ {
		within := false
		for _, kind := range []string{"crash", "restart", "within", "pause"} {
			for _, f := range s.Faults {
				if f.Process != process {
					continue
				}
				switch {
				case kind == "crash" && f.Kind == rounds.Crash && f.Point() == "" && f.Round == at:
					down = true
				case kind == "restart" && f.Kind == rounds.Restart && f.Round == at:
					down = false
				case kind == "within" && f.Point() != "" && f.Round == at:
					down = true
				case kind == "pause" && f.Kind == rounds.Pause && f.Round <= at && at <= f.Until:
					within = true
				}
			}
		}
		if at == round {
			return down || within
		}
	}
	return false
}

// assumeNetwork returns the bounds with something taken for granted of each round.
func assumeNetwork(r *rand.Rand, b rounds.Bounds) rounds.Bounds {
	b.Joins, b.At, b.Kinds = nil, "", nil // these do not go with it
	for turn := 0; b.Validate() != nil || b.Deliver == "" && b.Kernel == ""; turn++ {
		if turn == 1000 {
			panic(fmt.Sprintf("nothing can be taken for granted: %v", b.Validate()))
		}
		b.Deliver = []string{"", "n-f", "n-1", "majority", "2", "3", "1", "n-0"}[r.IntN(8)]
		b.Kernel = []string{"", "yes"}[r.IntN(2)]
	}
	return b
}

// The schedules of bounds that take something for granted of each round are those of
// the bounds without that, but for those under which less is received.
func TestUniverseOfNetworks(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	kept, exact, own := 0, 0, 0
	for tried := 0; tried < 200; {
		free := randomBounds(r, 1500)
		free.Joins, free.At, free.Kinds = nil, "", nil
		free.OwnLost = r.IntN(2) == 0
		if schedules.Count(free).Cmp(big.NewInt(1500)) > 0 { // without those who join there are more
			continue
		}
		tried++
		b := assumeNetwork(r, free)
		var want []string
		for s := range schedules.New(free).All() {
			within := granted(t, b, s)
			if err := schedules.Within(s, b); within {
				require.NoError(t, err, "%v: %s", b, s)
				want = append(want, s.String())
			} else {
				require.Error(t, err, "%v: %s", b, s)
				require.Error(t, schedules.Assumed(s, b))
			}
		}
		u := schedules.New(b)
		for _, most := range []int{0, 1, 2, u.Len()} {
			var few, got []string
			for _, s := range want {
				if schedule, err := rounds.ParseSchedule(s); err == nil && schedule.Size() <= most {
					few = append(few, s)
				}
			}
			for s := range u.AtMost(most) {
				got = append(got, s.String())
			}
			require.ElementsMatch(t, few, got, "%v", b)
		}
		require.GreaterOrEqual(t, schedules.Count(b).Int64(), int64(len(want)))
		if schedules.Exact(b) {
			exact++
			require.Equal(t, schedules.Count(b).Int64(), int64(len(want)), "%v", b)
		}
		if least, _ := b.Network(); b.OwnLost && b.Isolations != 0 && least == 0 {
			own++
		}
		kept += len(want)
	}
	require.NotZero(t, kept)
	require.NotZero(t, own, "nobody has to hear itself where all can crash")
	require.Greater(t, exact, 100)
}

// What is drawn is within the bounds.
func TestDrawsOfNetworks(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	for range 40 {
		b := assumeNetwork(r, randomBounds(r, 100_000))
		u := schedules.New(b)
		uniform := u.Uniform()
		for range 20 {
			require.NoError(t, schedules.Within(u.Random(r), b))
			require.NoError(t, schedules.Within(uniform.Draw(schedules.Dice{Rand: r}), b))
		}
	}
}

func TestGrantedSaysWhich(t *testing.T) {
	b := rounds.Bounds{Processes: three, EOT: 3, Crashes: 1, Omissions: rounds.Unlimited, Deliver: "n-f", Kernel: "yes"}
	for schedule, want := range map[string]string{
		"":                                   "",
		"crash a@2":                          "",
		"omit a>b@1; crash c@2":              "",
		"crash a@1; omit b>c@1":              "schedule: crash a@1; omit b>c@1: in round 1 c receives from 1 process, itself included, and each takes 2 for granted (deliver=n-f)",
		"omit a>b@2; omit c>b@2":             "schedule: omit a>b@2; omit c>b@2: in round 2 b receives from 1 process, itself included, and each takes 2 for granted (deliver=n-f)",
		"omit a>b@3; omit b>c@3; omit c>a@3": "schedule: omit a>b@3; omit b>c@3; omit c>a@3: in round 3 no process exchanges messages with all others (kernel=yes)",
	} {
		s, err := rounds.ParseSchedule(schedule)
		require.NoError(t, err)
		if err := schedules.Within(s, b); want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, want)
		}
	}
	require.Equal(t, "3 processes, 3 rounds, omissions, at most 1 crash, each receives from at least 2 a round (deliver=n-f), a kernel in each round (kernel=yes)", b.String())
}

// Each schedule is drawn with the same probability, one in as many as are counted.
func TestUniformOfNetworks(t *testing.T) {
	four := []string{"a", "b", "c", "d"}
	all := []rounds.Bounds{
		{Processes: three, EOT: 2, Omissions: rounds.Unlimited, Deliver: "2", EFF: 2},
		{Processes: three, EOT: 2, Omissions: 2, Crashes: 1, Deliver: "n-f"},
		{Processes: three, EOT: 2, Omissions: rounds.Unlimited, Kernel: "yes", EFF: 2},
		{Processes: three, EOT: 3, Isolations: rounds.Unlimited, Period: 2, Kernel: "yes"},
		{Processes: three, EOT: 3, Isolations: 2, Pauses: 1, Period: 2, Deliver: "majority"},
		{Processes: four, EOT: 2, Partitions: 1, Isolations: 1, Deliver: "majority", Period: 2},
		{Processes: four, EOT: 1, Partitions: 2, Kernel: "yes", Reliable: []string{"a>b", "b>a"}},
		{Processes: three, EOT: 3, Cuts: 3, Isolations: 1, Period: 2, Deliver: "2"},
		{Processes: three, EOT: 2, Cuts: rounds.Unlimited, Omissions: 1, Period: 2, Kernel: "yes"},
		{Processes: three[:2], EOT: 2, Crashes: 2, Restarts: 1, Points: map[string][]string{"a": {"x", "y"}}, Deliver: "2"},
		{Processes: three, EOT: 2, Crashes: 2, Restarts: 1, Disks: true, Deliver: "n-1"},
	}
	r := rand.New(rand.NewPCG(45, 46))
	for range 25 {
		all = append(all, assumeNetwork(r, randomBounds(r, 300)))
	}
	for _, b := range all {
		u := schedules.New(b)
		d := schedules.OneByOne(u.Uniform())
		if !schedules.Exactly(d) {
			continue
		}
		each := new(big.Rat).SetFrac(big.NewInt(1), schedules.Count(b))
		got := oracle.Distribution(d.Draw)
		for s := range u.All() {
			p := got[s.String()]
			require.NotNil(t, p, "%v: %q is never drawn", b, s)
			require.Zero(t, each.Cmp(p), "%v: %q has the probability %v", b, s, p)
			delete(got, s.String())
		}
		require.Empty(t, got, "%v", b)
	}
}
