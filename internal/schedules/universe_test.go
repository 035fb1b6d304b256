package schedules_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

var three = []string{"a", "b", "c"}

// randomBounds returns bounds with not too many schedules.
func randomBounds(r *rand.Rand, most int64) rounds.Bounds {
	budget := func(most int) int {
		return []int{0, 0, rounds.Unlimited, 1 + r.IntN(most), 1 + r.IntN(most)}[r.IntN(5)]
	}
	for {
		b := rounds.Bounds{
			Processes: []string{"c", "a", "b", "d"}[:1+r.IntN(4)],
			EOT:       1 + r.IntN(7),
			EFF:       r.IntN(6),
			Crashes:   budget(3), Omissions: budget(4), Isolations: budget(4),
			Period:    r.IntN(5),
			CrashStop: r.IntN(2) == 0,
		}
		if r.IntN(2) == 0 {
			b.Restarts, b.Pauses = budget(3), budget(4)
		}
		if len(b.Processes) > 2 && r.IntN(2) == 0 {
			b.Partitions = budget(3)
		}
		if r.IntN(3) == 0 {
			b.Points = map[string][]string{b.Processes[len(b.Processes)-1]: {"stored"}, b.Processes[0]: []string{"sent", "stored"}[:r.IntN(3)]}
		}
		if r.IntN(2) == 0 {
			b.Cuts = budget(3)
			b.FastClocks, b.SlowClocks, b.Jumps, b.MaxJump, b.FailedSyncs, b.Disks = budget(3), budget(3), budget(2), r.IntN(4), budget(2), r.IntN(2) == 0
		}
		if r.IntN(3) == 0 {
			b.Delays, b.Duplicates, b.MaxDelay = budget(3), budget(3), r.IntN(4)
		}
		if len(b.Processes) > 2 && r.IntN(3) == 0 {
			b.Orders = budget(3)
		}
		b = oracle.Assume(r, b)
		if r.IntN(4) == 0 {
			b.At, b.Omissions, b.Delays, b.Duplicates, b.Orders, b.Deliver, b.Kernel = "phase", 0, 0, 0, 0, "", ""
		}
		if r.IntN(3) == 0 && b.Deliver == "" && b.Kernel == "" {
			b.Kinds = []string{"vote", "x y"}[:1+r.IntN(2)]
		}
		if b = oracle.Begin(r, b); schedules.Count(b).IsInt64() && schedules.Count(b).Int64() <= most {
			return b
		}
	}
}

func TestUniverseAll(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		b := randomBounds(r, 2000)
		if calm := b; i%4 == 0 {
			if calm.FaultFree = i % b.EOT; calm.Validate() == nil {
				b = calm
			}
		}
		u := schedules.New(b)
		seen := map[string]bool{}
		for s := range u.All() {
			text := s.String()
			require.False(t, seen[text], "%v: %s twice", b, text)
			seen[text] = true
			require.Equal(t, s, s.Normal())
			require.NoError(t, schedules.Within(s, b), "%v", b)

			units, err := u.Units(s)
			require.NoError(t, err)
			require.Equal(t, s.String(), u.Schedule(func(unit int) bool { return slices.Contains(units, unit) }).String())
			require.True(t, meets(u, units), "%v: %s", b, text)
		}
		require.Equal(t, schedules.Count(b).Int64(), int64(len(seen)), "%v", b)
	}
}

// AtMost yields those of all schedules that have no more faults.
func TestUniverseAtMost(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 30 {
		u := schedules.New(randomBounds(r, 2000))
		for most := range 4 {
			var want, got []string
			for s := range u.All() {
				if s.Size() <= most {
					want = append(want, s.String())
				}
			}
			for s := range u.AtMost(most) {
				got = append(got, s.String())
			}
			require.Equal(t, want, got)
		}
	}
}

// meets tells whether units keep the limits, and those of each process come in turn.
func meets(u *schedules.Universe, units []int) bool {
	for _, limit := range u.Limits() {
		count := 0
		for _, unit := range units {
			if slices.Contains(limit.Units, unit) {
				count++
			}
		}
		if count > limit.AtMost {
			return false
		}
	}
	for p := range u.Bounds().Processes {
		down := false
		for _, moment := range u.Chain(p) {
			for _, unit := range moment.Units {
				if !slices.Contains(units, unit) {
					continue
				}
				if down != (moment.Kind == rounds.Restart) {
					return false
				}
				down = moment.Kind == rounds.Crash
			}
		}
	}
	return true
}

// Every set of units that meets the limits and the chains is a schedule within the
// bounds, and there are no others.
func TestUniverseLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for tried := 0; tried < 60; {
		b := randomBounds(r, 1<<12)
		u := schedules.New(b)
		if u.Len() > 12 {
			continue
		}
		tried++
		valid := int64(0)
		for set := range 1 << u.Len() {
			var units []int
			for unit := range u.Len() {
				if set>>unit&1 == 1 {
					units = append(units, unit)
				}
			}
			if !meets(u, units) {
				continue
			}
			valid++
			s := u.Schedule(func(unit int) bool { return set>>unit&1 == 1 })
			got, err := u.Units(s)
			require.NoError(t, err)
			require.Equal(t, units, got)
		}
		require.Equal(t, schedules.Count(b).Int64(), valid, "%v", b)
	}
}

func TestUniverseIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		u := schedules.New(randomBounds(r, 1<<40))
		for unit := range u.Len() {
			f := u.Fault(unit)
			got, ok := u.Index(f)
			require.True(t, ok, f)
			require.Equal(t, unit, got, f)
			if f.Kind != rounds.Restart {
				require.NoError(t, schedules.Within(rounds.Schedule{Faults: []rounds.Fault{f}}, u.Bounds()))
			}
		}
		for p, name := range u.Bounds().Processes {
			for i, unit := range u.Crashes(p) {
				round := i + 1
				if u.Bounds().At != "" { // the crash of the phase
					round -= i % u.Bounds().Period
				}
				if round < u.Bounds().FirstFault() || round > u.Bounds().LastFault() {
					require.Equal(t, -1, unit)
					continue
				}
				require.Equal(t, rounds.Fault{Kind: rounds.Crash, Process: name, Round: round}, u.Fault(unit))
			}
		}
	}
	u := schedules.New(rounds.Bounds{Processes: three, EOT: 4, EFF: 3, Crashes: 1, Isolations: 1, Omissions: 1, Period: 2})
	for _, f := range []rounds.Fault{
		{}, {Kind: rounds.Restart, Process: "a", Round: 1}, {Kind: rounds.Crash, Process: "x", Round: 1},
		{Kind: rounds.Crash, Process: "a", Round: 5}, {Kind: rounds.Isolate, Process: "a", Round: 1, Until: 1},
		{Kind: rounds.Isolate, Process: "a", Round: 3, Until: 3}, {Kind: rounds.Omit, Process: "a", To: "a", Round: 1},
		{Kind: rounds.Omit, Process: "a", To: "x", Round: 1}, {Kind: rounds.Omit, Process: "a", To: "b", Round: 3},
	} {
		_, ok := u.Index(f)
		require.False(t, ok, f)
	}
}

// Losing names the units that lose a message, as the environment of each unit
// alone has it.
func TestUniverseLosing(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 100 {
		b := randomBounds(r, 1<<30)
		u := schedules.New(b)
		env, err := schedules.NewEnvironment(b, rounds.Schedule{})
		require.NoError(t, err)
		for unit := range u.Len() {
			if u.Fault(unit).Kind == rounds.Restart {
				continue
			}
			require.NoError(t, env.Reset(rounds.Schedule{Faults: []rounds.Fault{u.Fault(unit)}}))
			eachMessage(b, func(from, to, round int) {
				require.Equal(t, !slices.Contains(u.Losing(from, to, round), unit), env.Delivers(from, to, round),
					"%v: %s, %d to %d in %d", b, u.Fault(unit), from, to, round)
			})
		}
	}
}

func TestUniverseRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 100 {
		b := randomBounds(r, 1<<30)
		u := schedules.New(b)
		for range 20 {
			s := u.Random(r)
			require.NoError(t, schedules.Within(s, b))
			require.Equal(t, s, s.Normal())
		}
	}

	b := rounds.Bounds{Processes: three, EOT: 3, EFF: 2, Omissions: 2, Crashes: 1}
	u := schedules.New(b)
	seen := map[string]bool{}
	for range 20_000 {
		seen[u.Random(r).String()] = true
	}
	require.Len(t, seen, int(schedules.Count(b).Int64()), "every schedule comes up")

	one, other := rand.New(rand.NewPCG(1, 1)), rand.New(rand.NewPCG(1, 1))
	for range 100 {
		require.Equal(t, u.Random(one), u.Random(other))
	}
}

func TestUniverseAllStops(t *testing.T) {
	u := schedules.New(rounds.Bounds{Processes: three, EOT: 100, EFF: 100, Crashes: 2, Omissions: rounds.Unlimited})
	count := 0
	for range u.All() {
		if count++; count == 1000 {
			break
		}
	}
	require.Equal(t, 1000, count)
}
