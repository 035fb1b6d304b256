package catalogue_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// A span is a process that is cut off, in one way or another, from a round to the end of
// a phase.
type span struct {
	process     string
	from, until int
}

// A sampler draws executions as Algorithm 1 of Dragoi et al. does: exactly so many faults,
// distributed over phases of period rounds. Within a phase a fault begins with any of its
// units: with any round, if the unit is 1, and only with the phase, if it is the period.
type sampler struct {
	processes    []string
	rounds       int // with faults
	period, unit int
}

// draw draws so many faults, by phases.
func (s sampler) draw(r *rand.Rand, faults int) (all []span) {
	phases := (s.rounds + s.period - 1) / s.period
	given := make([]int, phases)
	for range min(faults, phases*len(s.processes)) {
		phase := r.IntN(phases)
		for given[phase] == len(s.processes) {
			phase = r.IntN(phases)
		}
		given[phase]++
	}
	for phase, n := range given {
		first := phase*s.period + 1
		last := min(first+s.period-1, s.rounds)
		units := (last - first + s.unit) / s.unit
		for _, p := range r.Perm(len(s.processes))[:n] {
			all = append(all, span{s.processes[p], first + s.unit*r.IntN(units), last})
		}
	}
	return all
}

// isolated loses what is sent to and by who is cut off.
func isolated(all []span) rounds.Schedule { return each(all, rounds.Isolate) }

// blocked lets who is cut off stand still, and get then what was sent to it.
func blocked(all []span) rounds.Schedule { return each(all, rounds.Pause) }

func each(all []span, kind rounds.Kind) (s rounds.Schedule) {
	for _, c := range all {
		s.Faults = append(s.Faults, rounds.Fault{Kind: kind, Process: c.process, Round: c.from, Until: c.until})
	}
	return s.Normal()
}

// killed stops who is cut off, and starts it again from its disk.
func killed(all []span) (s rounds.Schedule) {
	slices.SortFunc(all, func(a, b span) int { return cmp.Or(cmp.Compare(a.process, b.process), a.from-b.from) })
	for i, c := range all {
		if last := len(s.Faults) - 1; i > 0 && all[i-1].process == c.process && all[i-1].until+1 == c.from {
			s.Faults[last].Round = c.until + 1 // it is still down
			continue
		}
		s.Faults = append(s.Faults,
			rounds.Fault{Kind: rounds.Crash, Process: c.process, Round: c.from},
			rounds.Fault{Kind: rounds.Restart, Process: c.process, Round: c.until + 1})
	}
	return s.Normal()
}

// dropped loses what a process sends another in a round with a probability.
func dropped(r *rand.Rand, processes []string, until int, probability float64) (s rounds.Schedule) {
	for round := 1; round <= until; round++ {
		for _, from := range processes {
			for _, to := range processes {
				if from != to && r.Float64() < probability {
					s.Faults = append(s.Faults, rounds.Fault{Kind: rounds.Omit, Process: from, To: to, Round: round})
				}
			}
		}
	}
	return s.Normal()
}

// What is drawn is within bounds that ldfi has: isolations in phases, from any round on,
// and in the coarse kinds those that begin with shorter phases, where one that lasts for
// two of them is two.
func TestSampler(t *testing.T) {
	processes := []string{"a", "b", "c"}
	any := sampler{processes, 16, 4, 1}
	coarse := sampler{processes, 16, 4, 2}
	phases := sampler{processes, 16, 4, 4}
	b := rounds.Bounds{Processes: processes, EOT: 20, EFF: 17, Period: 4, Isolations: 5}
	begin := b
	begin.At = "phase"
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(1, seed))
		require.NoError(t, schedules.Within(isolated(any.draw(random, 5)), b))
		cut := coarse.draw(random, 5)
		require.Len(t, cut, 5)
		require.NoError(t, schedules.Within(isolated(cut), b))
		for _, c := range cut {
			require.Contains(t, []int{1, 3}, (c.from-1)%4+1)
		}
		require.NoError(t, schedules.Within(isolated(phases.draw(random, 5)), begin))
	}
	require.Equal(t, "crash a@1; crash b@3; crash a@15; restart b@5; restart a@9; restart a@17",
		killed([]span{{"b", 3, 4}, {"a", 5, 8}, {"a", 15, 16}, {"a", 1, 4}}).String())
}
