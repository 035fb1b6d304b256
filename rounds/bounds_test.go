package rounds_test

import (
	"fmt"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

var three = []string{"a", "b", "c"}

func TestBoundsScope(t *testing.T) {
	for _, test := range []struct {
		bounds    rounds.Bounds
		scope     string
		scenarios string
	}{
		{rounds.Bounds{Processes: three, EOT: 6, EFF: 3, Crashes: 1, Omissions: rounds.Unlimited},
			"3 processes, 6 rounds, omissions before round 3, at most 1 crash", "77824"},
		{rounds.Bounds{Processes: three, EOT: 6, EFF: 3, Crashes: 1, Omissions: rounds.Unlimited, Implied: true},
			"3 processes, 6 rounds, omissions before round 3 (implied by eff=3), at most 1 crash", "77824"},
		{rounds.Bounds{Processes: three, EOT: 10, Crashes: 1}, "3 processes, 10 rounds, at most 1 crash", "31"},
		{rounds.Bounds{Processes: three, EOT: 10, Crashes: 1, EFF: 5}, "3 processes, 10 rounds, at most 1 crash", "31"},
		{rounds.Bounds{Processes: three, EOT: 6},
			"3 processes, 6 rounds, no faults", "1"},
		{rounds.Bounds{Processes: three[:1], EOT: 1, Crashes: 1},
			"1 process, 1 round, at most 1 crash", "2"},
		{rounds.Bounds{Processes: three[:1], EOT: 2, EFF: 2, Omissions: rounds.Unlimited},
			"1 process, 2 rounds, omissions before round 2", "1"},
		{rounds.Bounds{Processes: three, EOT: 2, Omissions: 1},
			"3 processes, 2 rounds, at most 1 omission", "13"},
		{rounds.Bounds{Processes: three, EOT: 2, Omissions: 2, Crashes: 2, CrashStop: true},
			"3 processes, 2 rounds, at most 2 omissions, at most 2 crashes (stop)", "1501"},
		{rounds.Bounds{Processes: three, EOT: 4, Crashes: rounds.Unlimited},
			"3 processes, 4 rounds, crashes", "125"},
		{rounds.Bounds{Processes: three, EOT: 4, Crashes: 7},
			"3 processes, 4 rounds, at most 7 crashes", "125"},
		{rounds.Bounds{Processes: three, EOT: 4, Isolations: 1},
			"3 processes, 4 rounds, at most 1 isolation", "13"},
		{rounds.Bounds{Processes: three, EOT: 16, Isolations: 8, Period: 4},
			"3 processes, 16 rounds, at most 8 isolations in phases of 4 rounds", "50154065"},
		{rounds.Bounds{Processes: three[:2], EOT: 9, EFF: 8, Isolations: rounds.Unlimited, Period: 4},
			"2 processes, 9 rounds, isolations in phases of 4 rounds before round 8", "400"},
		{rounds.Bounds{Processes: three, EOT: 7, Isolations: 2, Period: 3},
			"3 processes, 7 rounds, at most 2 isolations in phases of 3 rounds", "214"},
		{rounds.Bounds{Processes: three, EOT: 2, Isolations: 1, Period: 1<<63 - 1},
			"3 processes, 2 rounds, at most 1 isolation in phases of 9223372036854775807 rounds", "7"},
		{rounds.Bounds{Processes: three, EOT: 6, EFF: 1, Crashes: 1},
			"3 processes, 6 rounds, at most 1 crash", "19"},
		{rounds.Bounds{Processes: three, EOT: 30, EFF: 31, Omissions: rounds.Unlimited},
			"3 processes, 30 rounds, omissions before round 31", "1532495540865888858358347027150309183618739122183602176"},
		// Two rounds of four links that lose messages, and c, which does not crash.
		{rounds.Bounds{Processes: three, EOT: 6, EFF: 3, Crashes: 1, Omissions: rounds.Unlimited, NeverCrash: []string{"c"}, Reliable: []string{"*>b"}},
			"3 processes, 6 rounds, omissions before round 3 (never *>b), at most 1 crash (never c)", "3328"},
		// Of b nothing is lost, so that it cannot be isolated.
		{rounds.Bounds{Processes: three, EOT: 4, Isolations: 1, Reliable: []string{"*>b", "b>*"}},
			"3 processes, 4 rounds, at most 1 isolation (sparing *>b, b>*)", "9"},
		{rounds.Bounds{Processes: three, EOT: 4, Isolations: 1, Pauses: 1, Period: 4, Reliable: []string{"*>*"}},
			"3 processes, 4 rounds, no isolations in phases of 4 rounds (sparing *>*), at most 1 pause in phases of 4 rounds", "13"},
		// Of the seven ways to part four, three have two on each side; a and b are on one of them in one.
		{rounds.Bounds{Processes: []string{"a", "b", "c", "d"}, EOT: 1, Partitions: 1, Reliable: []string{"a>c", "c>a", "a>d", "d>a", "b>c", "c>b", "b>d", "d>b"}},
			"4 processes, 1 round, at most 1 partition (sparing a>c, c>a, a>d, d>a, b>c, c>b, b>d, d>b)", "7"},
		{rounds.Bounds{Processes: []string{"a", "b", "c", "d"}, EOT: 1, Partitions: 1, Reliable: []string{"*>*"}},
			"4 processes, 1 round, no partitions (sparing *>*)", "1"},
		{rounds.Bounds{Processes: three, EOT: 4, Crashes: 2, CrashStop: true, NeverCrash: three},
			"3 processes, 4 rounds, no crashes (stop) (never a, b, c)", "1"},
	} {
		require.NoError(t, test.bounds.Validate(), test.scope)
		require.Equal(t, test.scope, test.bounds.String())
		require.Equal(t, test.scenarios, schedules.Count(test.bounds).String(), test.scope)
	}
}

func TestLastLoss(t *testing.T) {
	b := rounds.Bounds{Processes: three, EOT: 6, EFF: 4}
	require.Equal(t, 3, b.LastLoss())
	b.EOT = 2
	require.Equal(t, 2, b.LastLoss())
	require.Equal(t, 6, rounds.Bounds{EOT: 6}.LastLoss())
}

func TestBoundsValidate(t *testing.T) {
	for _, test := range []struct {
		bounds rounds.Bounds
		errors string
	}{
		{rounds.Bounds{}, `bounds: there are no processes; name at least one, as in processes=a,b,c
bounds: eot=0: there has to be at least one round, as in eot=6`},
		{rounds.Bounds{Processes: []string{"a", "a", "", "x>y", "p q", "*", "\xff", "a\n"}, EOT: 1},
			`bounds: process a is named twice
bounds: there is a process with an empty name
bounds: process name "x>y" cannot have '>' in it; use letters, digits and _ . - ?
bounds: process name "p q" cannot have ' ' in it; use letters, digits and _ . - ?
bounds: process name "*" cannot have '*' in it; use letters, digits and _ . - ?
bounds: process name "\xff" is not valid UTF-8
bounds: process name "a\n" cannot have '\n' in it; use letters, digits and _ . - ?`},
		{rounds.Bounds{Processes: three, EOT: 1, EFF: -1, Crashes: -2, Omissions: -3, Isolations: -4, Period: -1},
			`bounds: eff=-1: it has to be a round, as in eff=3
bounds: period=-1: a phase has at least one round
bounds: crashes=-2: it has to be 0 or more, or unlimited
bounds: omissions=-3: it has to be 0 or more, or unlimited
bounds: isolations=-4: it has to be 0 or more, or unlimited`},
		{rounds.Bounds{Processes: three, EOT: 1 << 62},
			`bounds: eot=4611686018427387904 with 3 processes is too large: processes × processes × rounds is at most 100000: with so many processes eot is at most 11111`},
	} {
		require.EqualError(t, test.bounds.Validate(), test.errors)
	}
	require.EqualError(t, rounds.Bounds{Processes: three, EOT: 1, NeverCrash: []string{"a", "d", "a"}, Reliable: []string{"a", "a>d"}}.Validate(),
		`bounds: never-crash=d: there is no process "d": the processes are a, b, c
bounds: never-crash=a,d,a: a is named twice
bounds: reliable="a" is no link; write for example a>b, *>b or a>*
bounds: reliable=a>d: there is no process "d": the processes are a, b, c`)
	require.NoError(t, rounds.Bounds{Processes: []string{"a.1", "P_2", "?", "x-y", "Ünï", "0"}, EOT: 1}.Validate())
}

// A process has a reasonable number of crash points, and a scope names a few.
func TestManyPoints(t *testing.T) {
	b := rounds.Bounds{Processes: []string{"a"}, EOT: 3, Crashes: 1, CrashStop: true, Points: map[string][]string{}}
	for i := range 101 {
		b.Points["a"] = append(b.Points["a"], fmt.Sprintf("p%d", i))
	}
	require.ErrorContains(t, b.Validate(), "crash points of a: there are at most 100, and not 101")
	b.Points["a"] = b.Points["a"][:10]
	require.NoError(t, b.Validate())
	require.Contains(t, b.String(), "also at p0, p1, p2, p3, p4, p5, p6, p7 and 2 more")
}
