package schedules_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// eachMessage calls f for every sender, receiver and round, nobody included.
func eachMessage(b rounds.Bounds, f func(from, to, round int)) {
	for round := 1; round <= b.EOT; round++ {
		for to := range b.Processes {
			for from := -1; from < len(b.Processes); from++ {
				f(from, to, round)
			}
		}
	}
}

// lostBy reads DESIGN's words: whether one fault loses what one process sends
// another in a round.
func lostBy(f rounds.Fault, s rounds.Schedule, b rounds.Bounds, from, to string, round int) bool {
	others := from != "" && from != to
	if f.Of != "" { // see TestMessages
		return false
	}
	switch f.Kind {
	case rounds.Crash:
		sender := f.Process == from && others
		receiver := f.Process == to && b.CrashStop
		first := f.Round
		if f.Point() != "" { // in its own round that depends on the process
			first++
		}
		return round >= first && !restarted(f, s, round) && (sender || receiver)
	case rounds.Isolate:
		if own := f.Process == from && from == to; own {
			return b.OwnLost && round >= f.Round && round <= f.Until
		}
		return others && round >= f.Round && round <= f.Until && (f.Process == from || f.Process == to) && !oracle.Spares(b, from, to)
	case rounds.Omit, rounds.Delay:
		return f.Process == from && f.To == to && f.Round == round
	case rounds.Cut:
		return f.Process == from && f.To == to && round >= f.Round && round <= f.Until
	case rounds.Partition:
		return others && round >= f.Round && round <= f.Until && parted(f, b, from) != parted(f, b, to) && !oracle.Spares(b, from, to)
	}
	return false
}

// restarted tells whether a process that crashed is back in a round.
func restarted(crash rounds.Fault, s rounds.Schedule, round int) bool {
	return slices.ContainsFunc(s.Faults, func(f rounds.Fault) bool {
		after := crash.Round < f.Round || crash.Round == f.Round && crash.Point() == ""
		return f.Kind == rounds.Restart && f.Process == crash.Process && after && f.Round <= round
	})
}

// parted tells whether a process is on the side of a partition that is named.
func parted(f rounds.Fault, b rounds.Bounds, process string) bool {
	side, _, _ := strings.Cut(f.Detail, "|")
	return slices.Contains(strings.Split(side, ","), process)
}

func TestEnvironment(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 100 {
		b := randomBounds(r, 1<<40)
		b.OwnLost = r.IntN(3) == 0
		u := schedules.New(b)
		env, err := schedules.NewEnvironment(b, u.Random(r))
		require.NoError(t, err)
		for range 5 {
			s := u.Random(r)
			require.NoError(t, env.Reset(s))
			require.Equal(t, s, env.Schedule())
			eachMessage(b, func(from, to, round int) {
				name := ""
				if from >= 0 {
					name = b.Processes[from]
				}
				lost := false
				for _, f := range s.Faults {
					lost = lost || lostBy(f, s, b, name, b.Processes[to], round)
				}
				require.Equal(t, !lost, env.Delivers(from, to, round), "%v under %s: %d to %d in %d", b, s, from, to, round)
				cause, ok := env.Cause(from, to, round)
				require.Equal(t, lost, ok)
				require.True(t, !ok || lostBy(cause, s, b, name, b.Processes[to], round))
			})
			for p, name := range b.Processes {
				crashed := 0
				for _, f := range s.Faults {
					if f.Kind == rounds.Crash && f.Process == name && crashed == 0 {
						crashed = f.Round
					}
				}
				require.Equal(t, crashed, env.CrashRound(p))
			}
		}
	}
}

func TestEnvironmentBeyond(t *testing.T) {
	env, err := schedules.NewEnvironment(rounds.Bounds{Processes: three, EOT: 2}, rounds.Schedule{})
	require.NoError(t, err)
	for _, m := range [][3]int{{0, 1, 0}, {0, 1, 3}, {-2, 1, 1}, {3, 1, 1}, {0, -1, 1}, {0, 3, 1}} {
		require.False(t, env.Delivers(m[0], m[1], m[2]), m)
	}
	require.True(t, env.Delivers(-1, 0, 2))
	require.Zero(t, env.CrashRound(-1))
	require.Zero(t, env.CrashRound(3))
}

func TestEnvironmentErrors(t *testing.T) {
	_, err := schedules.NewEnvironment(rounds.Bounds{}, rounds.Schedule{})
	require.Error(t, err)
	b := rounds.Bounds{Processes: three, EOT: 2}
	_, err = schedules.NewEnvironment(b, rounds.Schedule{Faults: []rounds.Fault{{Kind: rounds.Crash, Process: "x", Round: 1}}})
	require.Error(t, err)

	s := rounds.Schedule{Faults: []rounds.Fault{{Kind: rounds.Omit, Process: "a", To: "b", Round: 1}}}
	env, err := schedules.NewEnvironment(b, s)
	require.NoError(t, err)
	require.Error(t, env.Reset(rounds.Schedule{Faults: []rounds.Fault{{Kind: rounds.Crash, Process: "a", Round: 9}}}))
	require.Equal(t, s, env.Schedule(), "a bad schedule changes nothing")
	require.False(t, env.Delivers(0, 1, 1))
}

func TestEnvironmentOfMany(t *testing.T) {
	var names []string
	for i := range 130 {
		names = append(names, fmt.Sprint("p", i))
	}
	b := rounds.Bounds{Processes: names, EOT: 3}
	s, err := rounds.ParseSchedule("omit p3>p129@2; isolate p64@3; crash p65@2")
	require.NoError(t, err)
	env, err := schedules.NewEnvironment(b, s)
	require.NoError(t, err)
	lost := 0
	eachMessage(b, func(from, to, round int) {
		if !env.Delivers(from, to, round) {
			lost++
		}
	})
	require.Equal(t, 1+2*129+2*129-1, lost)
}

func BenchmarkEnvironmentReset(b *testing.B) {
	bounds := rounds.Bounds{Processes: three, EOT: 6, EFF: 3, Crashes: 1}
	s, err := rounds.ParseSchedule("crash a@2; omit a>c@1")
	require.NoError(b, err)
	env, err := schedules.NewEnvironment(bounds, s)
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		if err := env.Reset(s); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEnvironmentDelivers(b *testing.B) {
	env, err := schedules.NewEnvironment(rounds.Bounds{Processes: three, EOT: 6}, rounds.Schedule{})
	require.NoError(b, err)
	for b.Loop() {
		for round := 1; round <= 6; round++ {
			env.Delivers(0, 2, round)
		}
	}
}

// Arrives has what is late and what comes twice, as docs/faults.md says it: unless it
// is lost in the round in which it is sent, or its receiver is down when it arrives.
func TestArrives(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	late, twice := 0, 0
	for range 200 {
		b := randomBounds(r, 1<<40)
		b.At, b.Delays, b.Duplicates, b.MaxDelay = "", r.IntN(4), r.IntN(4), r.IntN(4)
		u := schedules.New(b)
		env, err := schedules.NewEnvironment(b, u.Random(r))
		require.NoError(t, err)
		for range 5 {
			s := u.Random(r)
			require.NoError(t, env.Reset(s))
			eachMessage(b, func(from, to, sent int) {
				for at := sent; at <= b.EOT; at++ {
					want := env.Delivers(from, to, sent)
					if at > sent {
						want = arrivesLater(b, s, from, to, sent, at)
					}
					require.Equal(t, want, env.Arrives(from, to, sent, at), "%v under %s: %d to %d in %d at %d", b, s, from, to, sent, at)
					if want && at > sent && env.Delivers(from, to, sent) {
						twice++
					} else if want && at > sent {
						late++
					}
				}
			})
		}
	}
	require.Positive(t, late)
	require.Positive(t, twice)
}

func arrivesLater(b rounds.Bounds, s rounds.Schedule, from, to, sent, at int) bool {
	if from < 0 || from == to {
		return false
	}
	sender, receiver, sentLate := b.Processes[from], b.Processes[to], false
	for _, f := range s.Faults {
		if f.Of != "" {
			continue
		}
		crash := f.Kind == rounds.Crash
		switch {
		case f.Kind == rounds.Delay || f.Kind == rounds.Duplicate:
			sentLate = sentLate || f.Process == sender && f.To == receiver && f.Round == sent && f.Round+f.By == at
		case crash && f.Process == receiver && lostBy(f, s, b, "", receiver, at):
			return false
		case (!crash || f.Process == sender) && lostBy(f, s, b, sender, receiver, sent):
			return false
		}
	}
	return sentLate
}
