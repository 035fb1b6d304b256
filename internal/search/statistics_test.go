package search

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/stretchr/testify/require"
)

// A round has a quorum if some set of more than half of the processes exchanges all
// messages: every set is tried, under random schedules.
func TestQuorumAgainstEverySet(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 9))
	found := map[bool]int{}
	for range 300 {
		b := rounds.Bounds{Processes: []string{"a", "b", "c", "d", "e"}[:3+random.IntN(3)], EOT: 4, Period: 2, CrashStop: true,
			Crashes: 1, Restarts: 1, Isolations: 2, Omissions: rounds.Unlimited, Pauses: 1}
		s := schedules.New(b).Uniform().Draw(schedules.Dice{Rand: random})
		s.Faults = slices.DeleteFunc(s.Faults, func(f rounds.Fault) bool { return f.Kind == rounds.Omit && random.IntN(6) > 0 })
		counts, err := count(&recording.Execution{Bounds: b, Schedule: s}, 2)
		require.NoError(t, err)
		environment, err := schedules.NewEnvironment(b, s)
		require.NoError(t, err)
		together := func(set, first, last int) bool {
			for round := first; round <= last; round++ {
				for p := range b.Processes {
					for q := range b.Processes {
						if set>>p&1 == 1 && set>>q&1 == 1 && (away(s, b.Processes[p], round) || !environment.Delivers(p, q, round)) {
							return false
						}
					}
				}
			}
			return true
		}
		some := func(first, last int) int {
			for set := range 1 << len(b.Processes) {
				if n := ones(set); 2*n > len(b.Processes) && together(set, first, last) {
					return 1
				}
			}
			return 0
		}
		want := [6]int{4, some(1, 1) + some(2, 2) + some(3, 3) + some(4, 4), 2, some(1, 2) + some(3, 4)}
		require.Equal(t, want, counts, "%s", s)
		found[counts[1] == 4]++
	}
	require.Greater(t, min(found[true], found[false]), 30, "both happen: %v", found)
}

func ones(set int) (n int) {
	for ; set > 0; set &= set - 1 {
		n++
	}
	return n
}

// A message counts as sent, and as arrived unless it is lost or comes after the end.
func TestMessagesAreCounted(t *testing.T) {
	b := rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 3}
	counts, err := count(&recording.Execution{Bounds: b, Messages: []recording.Message{
		{From: "a", To: "b", Round: 1}, {From: "a", To: "c", Round: 1, Lost: true}, {From: "b", To: "c", Round: 2, Arrival: 3}, {From: "b", To: "c", Round: 3, Arrival: 4},
	}}, 1)
	require.NoError(t, err)
	require.Equal(t, [6]int{3, 3, 3, 3, 4, 2}, counts)
}

func TestFigures(t *testing.T) {
	require.Equal(t, result.Figure{}, figure(nil, 0))
	rows := []figures{{counts: [6]int{5}}, {counts: [6]int{1}}, {counts: [6]int{2}}, {counts: [6]int{4}}}
	require.Equal(t, result.Figure{Mean: 3, Median: 3, Least: 1, Most: 5}, figure(rows, 0))
	require.Equal(t, result.Figure{Mean: 8.0 / 3, Median: 2, Least: 1, Most: 5}, figure(rows[:3], 0))
}
