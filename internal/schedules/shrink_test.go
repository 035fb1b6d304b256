package schedules_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

func parse(t *testing.T, text string) rounds.Schedule {
	t.Helper()
	s, err := rounds.ParseSchedule(text)
	require.NoError(t, err)
	return s
}

// What is left is what the failure needs, and settings that are fixed.
func TestShrink(t *testing.T) {
	s := parse(t, "seed 3; ticks 2; goroutines 9; crash a@4; isolate b@1..5; omit a>b@2")
	fails := func(s rounds.Schedule) (bool, error) {
		lasts := strings.Contains(s.String(), "isolate b@1..5") || strings.Contains(s.String(), "isolate b@2..5") || strings.Contains(s.String(), "isolate b@3..5")
		return lasts && strings.Contains(s.String(), "crash a@4"), nil
	}
	fewer, err := schedules.ShrinkFaults(s, fails)
	require.NoError(t, err)
	require.Equal(t, parse(t, "seed 3; ticks 2; goroutines 9; crash a@4; isolate b@1..5"), fewer)
	smaller, err := schedules.Shrink(s, rounds.Settings{Ticks: rounds.Set(2)}, fails)
	require.NoError(t, err)
	require.Equal(t, parse(t, "ticks 2; crash a@4; isolate b@3..5"), smaller)
}

// Of starts and latencies stays what matters, and the seed that they were drawn from only if
// more than they matters of it.
func TestShrinkApart(t *testing.T) {
	const drawn = "seed 9; start a@1,b@7; latency a>b 2,b>a 1; crash a@2"
	for needs, left := range map[string]string{
		"crash a@2":   "crash a@2",
		"start a@1,b": "start a@1,b@7; crash a@2",
		"b@7":         "start b@7; crash a@2",
		"a>b 2":       "latency a>b 2; crash a@2",
		"seed 9":      "seed 9; crash a@2",
	} {
		smaller, err := schedules.Shrink(parse(t, drawn), rounds.Settings{}, func(s rounds.Schedule) (bool, error) {
			return strings.Contains(s.String(), needs) && strings.Contains(s.String(), "crash"), nil
		})
		require.NoError(t, err)
		require.Equal(t, left, smaller.String(), needs)
	}
	fixed := parse(t, "start b@7").Settings
	smaller, err := schedules.Shrink(parse(t, drawn), fixed, func(rounds.Schedule) (bool, error) { return true, nil })
	require.NoError(t, err)
	require.Equal(t, "start b@7", smaller.String())
}

// Of a script those requests stay that matter, and faults come earlier if there are fewer
// requests before them: here a crash breaks something that comes three rounds behind the
// request 7, where each takes ten rounds.
func TestShrinkRequests(t *testing.T) {
	executions := 0
	fails := func(s rounds.Schedule) (bool, error) {
		executions++
		made, _ := s.Settings.Scripted()
		i := slices.Index(made, 7)
		return i >= 0 && slices.Contains(made[i:], 9) && len(s.Faults) > 0 && s.Faults[0].Round >= 10*i && s.Faults[0].Round < 10*i+30, nil
	}
	smaller, err := schedules.Shrink(parse(t, "requests 1..12; isolate a@70..75"), rounds.Settings{}, fails)
	require.NoError(t, err)
	made, _ := smaller.Settings.Scripted()
	require.Equal(t, []int{7, 9}, made)
	require.Less(t, executions, 100)

	fixed := parse(t, "requests 1..12").Settings
	smaller, err = schedules.Shrink(parse(t, "requests 1..12; isolate a@70..75"), fixed, fails)
	require.NoError(t, err)
	require.Equal(t, fixed, smaller.Settings)

	// Without the request 3 it fails without faults: that would be another failure.
	needs := func(s rounds.Schedule) (bool, error) {
		made, _ := s.Settings.Scripted()
		return len(s.Faults) > 0 || !slices.Contains(made, 3), nil
	}
	smaller, err = schedules.Shrink(parse(t, "requests 1..12; crash a@7"), rounds.Settings{}, needs)
	require.NoError(t, err)
	made, _ = smaller.Settings.Scripted()
	require.Equal(t, []int{3}, made)
	require.Len(t, smaller.Faults, 1)

	smaller, err = schedules.Shrink(parse(t, "requests 4"), rounds.Settings{}, func(rounds.Schedule) (bool, error) { return true, nil })
	require.NoError(t, err)
	require.Equal(t, "requests none", smaller.String())
}

func TestError(t *testing.T) {
	broken := errors.New("broken")
	for _, text := range []string{"crash a@1", "seed 1", "isolate a@1..2"} {
		fails := func(rounds.Schedule) (bool, error) { return false, broken }
		_, err := schedules.Shrink(parse(t, text), rounds.Settings{}, fails)
		require.ErrorIs(t, err, broken)
	}
}

// What is left of crashes, restarts, points and partitions. Schedules in which a
// process crashes twice in a row are not executed.
func TestShrinkNewKinds(t *testing.T) {
	bounds := rounds.Bounds{Processes: []string{"a", "b", "c", "d"}, EOT: 9}
	for _, c := range []struct{ schedule, needs, smaller string }{
		{"crash a@2; restart a@3; crash a@5; restart a@6", "crash a@5; restart a@6", "crash a@5; restart a@6"},
		{"crash a@2; restart a@3; crash a@5; restart a@6", "crash a@2; restart a@6", "crash a@2; restart a@6"},
		{"crash a@2; restart a@3; crash a@5; restart a@6; crash a@8", "crash a@2", "crash a@2"},
		{"crash a@2; restart a@4; crash a@4/x; restart a@5; crash b@4", "crash a@4/x", "crash a@4/x"},
		{"crash a@2/x; restart a@4; crash a@4/x", "restart a@4", "crash a@2; restart a@4"},
		{"crash a@2/x", "crash a@2", "crash a@2"},
		{"partition a,c|*@2..6", "isolate a@4..6", "isolate a@4..6"},
		{"partition a,c|*@2..6", "partition a,c|*@5..6", "partition a,c|*@5..6"},
		{"partition a,c|b,d@2..6", "isolate d@2..6", "isolate d@2..6"},
		{"crash a@2/torn", "crash a@2", "crash a@2"},
		{"crash a@2/x/torn", "crash a@2/x/torn", "crash a@2/x/torn"},
		{"crash a@2/x/torn", "crash a@2/x", "crash a@2/x"},
		{"crash a@2/torn", "crash a@2/kept", "crash a@2/kept"},
		{"crash a@2/x/torn", "crash a@2/x/kept", "crash a@2/x/kept"},
		{"crash a@2/x/torn; restart a@4", "crash a@2/torn", "crash a@2/torn"},
		{"fast a@2..6; slow b@1..6; failsync a@3", "fast a@5..6", "fast a@5..6"},
		{"jump a@3+777; jump b@3+1", "jump a@3+300", "jump a@3+300"},
		{"jump a@3+8", "jump a@3+1", "jump a@3+1"},
		{"delay a>b@3+5; duplicate a>b@3+6", "duplicate a>b@3+2", "duplicate a>b@3+2"},
		{"delay a>b@3+5; order a@2 c,b", "delay a>b@3+1", "delay a>b@3+1"},
	} {
		needs := parse(t, c.needs).Faults
		fails := func(s rounds.Schedule) (bool, error) {
			if s.Check(bounds) != nil {
				return false, nil
			}
			return !slices.ContainsFunc(needs, func(f rounds.Fault) bool {
				return !slices.ContainsFunc(s.Faults, func(g rounds.Fault) bool { return has(g, f) })
			}), nil
		}
		smaller, err := schedules.Shrink(parse(t, c.schedule), rounds.Settings{}, fails)
		require.NoError(t, err)
		require.Equal(t, c.smaller, smaller.Normal().String(), c.schedule)
	}
}

// has tells whether a fault does what another one does, and perhaps more.
func has(f, part rounds.Fault) bool {
	covers := f.Round <= part.Round && f.Until >= part.Until
	switch part.Kind {
	case rounds.Isolate:
		parted := f.Kind == rounds.Partition && strings.Contains(f.Detail, part.Process)
		return covers && (parted || f.Kind == part.Kind && f.Process == part.Process)
	case rounds.Partition:
		return covers && f.Kind == part.Kind && f.Detail == part.Detail
	case rounds.Jump, rounds.Delay, rounds.Duplicate:
		return f.Kind == part.Kind && f.Process == part.Process && f.To == part.To && f.Round == part.Round && f.By >= part.By
	case rounds.Fast:
		return covers && f.Kind == part.Kind && f.Process == part.Process
	case rounds.Crash:
		at := part.Point() == "" || f.Point() == part.Point()
		kept := part.Disk() == "" || f.Disk() == part.Disk() || f.Disk() == "torn"
		return f.Kind == part.Kind && f.Process == part.Process && f.Round == part.Round && at && kept
	default:
		return f.Kind == part.Kind && f.Process == part.Process && f.Round == part.Round && (part.Detail == "" || f.Detail == part.Detail)
	}
}

// Halving finds where a fault can begin in few executions. Each later start is tried as
// well, as long as that is wanted: what fails from there on need not fail from all rounds
// before.
func TestStartsAreHalvedBeforeEachIsTried(t *testing.T) {
	for _, c := range []struct {
		fails        func(start int) bool
		halved, each string
	}{
		{func(start int) bool { return start <= 37 }, "isolate a@37..64", "isolate a@37..64"},
		{func(start int) bool { return start == 64 || start <= 37 }, "isolate a@37..64", "isolate a@64"},
		{func(start int) bool { return start == 1 }, "isolate a@1..64", "isolate a@1..64"},
	} {
		halving := 0
		fails := func(s rounds.Schedule) (bool, error) {
			halving++
			return len(s.Faults) == 1 && c.fails(s.Faults[0].Round), nil
		}
		none := func(rounds.Schedule) (bool, error) { return false, nil }
		whole := parse(t, "isolate a@1..64")
		halved, err := schedules.ShrinkStarts(whole, fails, none)
		require.NoError(t, err)
		require.Equal(t, c.halved, halved.String())
		require.LessOrEqual(t, halving, 6)
		each, err := schedules.ShrinkStarts(whole, fails, fails)
		require.NoError(t, err)
		require.Equal(t, c.each, each.String())
		all, err := schedules.Shrink(whole, rounds.Settings{}, fails)
		require.NoError(t, err)
		require.Equal(t, c.each, all.String())
	}
}

// The crashes and restarts of a process come in turn, in a round by their instants: a
// crash, a restart, and a crash within it.
func TestNext(t *testing.T) {
	s, err := rounds.ParseSchedule("crash a@2; crash a@2/stored; crash b@3; restart a@2; restart a@4; isolate a@2")
	require.NoError(t, err)
	s = s.Normal()
	for fault, next := range map[string]string{
		"crash a@2": "restart a@2", "restart a@2": "crash a@2/stored", "crash a@2/stored": "restart a@4",
		"restart a@4": "", "crash b@3": "", "isolate a@2": "",
	} {
		i := slices.IndexFunc(s.Faults, func(f rounds.Fault) bool { return f.String() == fault })
		j, without := schedules.Next(s, i), schedules.WithoutTurn(s, i)
		if next == "" {
			require.Negative(t, j, fault)
			require.Equal(t, schedules.Without(s, i), without)
			continue
		}
		require.Equal(t, next, s.Faults[j].String(), fault)
		require.Len(t, without.Faults, len(s.Faults)-2)
		require.NotContains(t, without.Faults, s.Faults[j])
	}
}

// Whatever faults a failure needs, of random schedules of all kinds: nothing that is left
// can be left out, alone or with what comes in turn.
func TestShrunkIsIrreducible(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	shrunk := map[rounds.Kind]int{}
	for range 400 {
		b := randomBounds(r, 5000)
		b.Terminations = r.IntN(3)
		s := schedules.New(b).Random(r)
		var needs []rounds.Fault
		for _, f := range s.Faults {
			if r.IntN(2) == 0 {
				needs = append(needs, f)
			}
		}
		fails := func(s rounds.Schedule) (bool, error) {
			missing := slices.ContainsFunc(needs, func(f rounds.Fault) bool { return !slices.Contains(s.Faults, f) })
			return !missing && s.Check(b) == nil, nil
		}
		smaller, err := schedules.Shrink(s, rounds.Settings{}, fails)
		require.NoError(t, err)
		failed, _ := fails(smaller)
		require.True(t, failed, "%s became %s", s, smaller)
		for i, f := range smaller.Faults {
			shrunk[f.Kind]++
			for _, fewer := range []rounds.Schedule{schedules.Without(smaller, i), schedules.WithoutTurn(smaller, i)} {
				failed, _ := fails(fewer)
				require.False(t, failed, "%s became %s, which can be without %s", s, smaller, f)
			}
		}
	}
	require.Len(t, shrunk, int(rounds.Choose), "faults of each kind were left, and no choices")
}

// A choice that is not needed is left out, once the faults are: the others stay.
func TestShrinkChoices(t *testing.T) {
	s := parse(t, `crash a@2; choose vote("a", 1)@1; choose vote("b", 2)@1; crash b@3`)
	fails := func(s rounds.Schedule) (bool, error) {
		return strings.Contains(s.String(), `choose vote("b", 2)@1`) && strings.Contains(s.String(), "crash b@3"), nil
	}
	smaller, err := schedules.Shrink(s, rounds.Settings{}, fails)
	require.NoError(t, err)
	require.Equal(t, parse(t, `crash b@3; choose vote("b", 2)@1`).Normal(), smaller.Normal())
}

// A kind of message, and which of them it is, stays where it is needed.
func TestShrinkKinds(t *testing.T) {
	bounds := rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 9}
	for _, c := range []struct {
		schedule, needs string
		exact           bool // not what hits more messages, too
		smaller         string
	}{
		{"omit a>b@3/Vote#2; omit a>c@3/Vote", "omit a>b@3/Vote#2", false, "omit a>b@3"},
		{"omit a>b@3/Vote; omit a>c@3/Vote", "omit a>b@3/Vote", true, "omit a>b@3/Vote"},
		{"omit a>b@3/Vote#2", "omit a>b@3/Vote#2", true, "omit a>b@3/Vote#2"},
		{"cut a>b@3..6/Vote; omit a>b@4/App", "cut a>b@3..6/Vote", false, "cut a>b@3..6"},
		{"omit a>b@3/Vote; delay a>b@3/App+2", "delay a>b@3/App+2; omit a>b@3/Vote", false, "omit a>b@3/Vote; delay a>b@3/App+2"},
		{"delay a>b@3/App#1+4", "delay a>b@3/App#1+1", false, "delay a>b@3+1"},
	} {
		needs := parse(t, c.needs).Faults
		smaller, err := schedules.Shrink(parse(t, c.schedule), rounds.Settings{}, func(s rounds.Schedule) (bool, error) {
			if err := s.Check(bounds); err != nil {
				return false, err
			}
			return !slices.ContainsFunc(needs, func(f rounds.Fault) bool {
				return !slices.ContainsFunc(s.Faults, func(g rounds.Fault) bool {
					same := g.Of == f.Of && g.Nth == f.Nth || !c.exact && (g.Of == "" || g.Of == f.Of && g.Nth == 0)
					return same && g.Kind == f.Kind && g.To == f.To && g.Round == f.Round && g.Until >= f.Until && g.By >= f.By
				})
			}), nil
		})
		require.NoError(t, err)
		require.Equal(t, c.smaller, smaller.Normal().String(), c.schedule)
	}
}
