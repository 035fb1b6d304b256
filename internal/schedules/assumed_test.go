package schedules_test

import (
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// The schedules under assumptions are those without them, but for such as have a
// fault that the assumptions rule out. Which these are is said here once more.
func TestUniverseUnderAssumptions(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for range 200 {
		b := randomBounds(r, 2000)
		free := b
		free.NeverCrash, free.Reliable = nil, nil
		if n := schedules.Count(free); !n.IsInt64() || n.Int64() > 5000 {
			continue
		}
		var want, got []string
		for s := range schedules.New(free).All() {
			if ruledOut(b, s) {
				require.Error(t, schedules.Within(s, b), "%v: %s", b, s)
				continue
			}
			want = append(want, s.String())
		}
		for s := range schedules.New(b).All() {
			got = append(got, s.String())
		}
		require.ElementsMatch(t, want, got, "%v", b)
	}
}

// ruledOut tells whether a schedule has a crash of who never crashes, or a fault
// that loses nothing because all that it could lose is reliable.
func ruledOut(b rounds.Bounds, s rounds.Schedule) bool {
	for _, f := range s.Faults {
		switch f.Kind {
		case rounds.Crash, rounds.Terminate:
			for _, name := range b.NeverCrash {
				if name == f.Process {
					return true
				}
			}
		case rounds.Omit, rounds.Cut, rounds.Delay, rounds.Duplicate:
			if oracle.Spares(b, f.Process, f.To) {
				return true
			}
		case rounds.Isolate:
			loses := len(b.Reliable) == 0
			for _, name := range b.Processes {
				loses = loses || name != f.Process && !(oracle.Spares(b, f.Process, name) && oracle.Spares(b, name, f.Process))
			}
			if !loses {
				return true
			}
		case rounds.Partition:
			loses := false
			for _, from := range b.Processes {
				for _, to := range b.Processes {
					loses = loses || parted(f, b, from) != parted(f, b, to) && !oracle.Spares(b, from, to)
				}
			}
			if !loses {
				return true
			}
		}
	}
	return false
}

func TestAssumed(t *testing.T) {
	b := rounds.Bounds{Processes: three, EOT: 4, Crashes: 1, Isolations: 1, Omissions: 1, NeverCrash: []string{"c"}, Reliable: []string{"*>b", "b>*"}}
	for schedule, want := range map[string]string{
		"":                            "",
		"crash a@1; omit a>c@1":       "",
		"isolate a@2":                 "",
		"crash c@2":                   "schedule: crash c@2: c never crashes (never-crash=c)",
		"omit a>b@2":                  "schedule: omit a>b@2: what a sends b cannot be lost: *>b is reliable",
		"isolate b@2":                 "schedule: isolate b@2: nothing that b sends or is sent can be lost: reliable are *>b and b>*",
		"reliable a>c; omit a>c@1":    "schedule: omit a>c@1: what a sends c cannot be lost: a>c is reliable",
		"reliable a>c,b>*; crash a@1": "",
		"reliable *>d":                `schedule: reliable *>d: there is no process "d": the processes are a, b, c`,
	} {
		s, err := rounds.ParseSchedule(schedule)
		require.NoError(t, err)
		_, err = schedules.NewEnvironment(b, s)
		within := schedules.Within(s, b)
		if want == "" {
			require.NoError(t, err, schedule)
			require.NoError(t, within, schedule)
			continue
		}
		require.EqualError(t, err, want)
		require.EqualError(t, within, want)
	}
}

// A schedule says itself what is reliable, as bounds do; the links of both count.
func TestReliableOfASchedule(t *testing.T) {
	b := rounds.Bounds{Processes: three, EOT: 2, Reliable: []string{"a>c"}}
	s, err := rounds.ParseSchedule("reliable *>b; isolate a@1; crash c@2")
	require.NoError(t, err)
	env, err := schedules.NewEnvironment(b, s)
	require.NoError(t, err)
	var lost []string
	eachMessage(b, func(from, to, round int) {
		if !env.Delivers(from, to, round) {
			f, ok := env.Cause(from, to, round)
			require.True(t, ok)
			lost = append(lost, b.Processes[from]+">"+b.Processes[to]+" by "+f.String())
		}
	})
	require.Equal(t, []string{"b>a by isolate a@1", "c>a by isolate a@1", "c>a by crash c@2", "c>b by crash c@2"}, lost)

	require.NoError(t, env.Reset(rounds.Schedule{Faults: s.Faults[:1]}))
	require.False(t, env.Delivers(0, 1, 1), "the setting is that of one schedule")
	require.True(t, env.Delivers(0, 2, 1))
}
