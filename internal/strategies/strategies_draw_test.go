package strategies_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// keptBy returns a target with bounds that a strategy keeps: drop loses messages.
func keptBy(strategy string, t target) target {
	if strategy == "drop" {
		t.Bounds = rounds.Bounds{Omissions: rounds.Unlimited}
	}
	if strategy == "pct" {
		t.Bounds.Delays = 1
	}
	return t
}

func isolations(s *system.System, d, k int) target {
	return target{System: s, Bounds: rounds.Bounds{Isolations: d, Period: k}}
}

// Whatever draws the schedules, the first that breaks the buggy log is reported,
// runs again, needs all of its faults, and is the same for any number of workers.
func TestDrawnSchedulesBreakTheBuggyLog(t *testing.T) {
	for _, strategy := range []string{"uniform", "sample", "spread", "drop"} {
		t.Run(strategy, func(t *testing.T) {
			target := keptBy(strategy, isolations(replog.Buggy(), 4, 4))
			var results []*result.Answer
			for _, workers := range []int{1, 3} {
				r, err := find(context.Background(), strategy, target, search.Options{Seed: 1, Workers: workers})
				require.NoError(t, err)
				results = append(results, r)
			}
			require.Equal(t, results[0], results[1])
			r := results[0]
			require.Equal(t, result.Violated, r.Verdict)
			require.NotEmpty(t, r.First().Violations)
			local, err := search.NewTarget(target.System, nil)
			require.NoError(t, err)
			session, err := search.NewSession(local, search.Options{Bounds: target.Bounds})
			require.NoError(t, err)
			again := session.Answer(0)
			require.NoError(t, session.Violated(context.Background(), again, r.First().Schedule))
			again.First().Minimal, again.First().Among = r.First().Minimal, r.First().Among // which takes a search
			require.Equal(t, r.First(), again.First())
		})
	}
}

func TestDrawnSchedulesDoNotBreakTheFixedLog(t *testing.T) {
	r, err := find(context.Background(), "sample", isolations(replog.Fixed(), 4, 4), search.Options{Seed: 1, Executions: 500})
	require.NoError(t, err)
	require.Equal(t, result.Inconclusive, r.Verdict)
	require.Equal(t, 500, r.Search.Executions)
	require.Equal(t, "inconclusive after 500 executions (sample, seed 1): none of 500 executions violates a property; "+
		"each schedule of faults within the bounds was drawn with a probability of at least 1 in 496; with 742,008 executions that is 95 %", r.Summary())
	require.InDelta(t, 0.002, r.Search.Drawn, 1e-4)
	require.Equal(t, "742008", r.Search.Enough.String())

	r, err = find(t.Context(), "uniform", varying(replog.Fixed()), search.Options{Seed: 1, Executions: 50})
	require.NoError(t, err)
	require.Contains(t, r.Search.Guarantee, "; ticks and random numbers were drawn as well")
}

// A search says how many rounds would do, where clients have nothing to say in most of them.
func TestFewerRoundsWouldDo(t *testing.T) {
	for said, want := range map[int]result.List[string]{
		40: {"--eot 80: without faults c has nothing to say after round 40 of 200"},
		3:  {"--eot 50: without faults c has nothing to say after round 3 of 200"},
		70: nil, 0: nil,
	} {
		s := &system.System{
			Name: "s", Processes: []string{"a", "b", "c"}, Rounds: 200,
			New: func(name string, _ *rand.Rand) system.Process {
				return play{func(*system.Step) {}, func(s *system.Step, _ []system.Message) {
					if name != "c" || s.Round() <= said {
						s.Fact("says", s.Round())
					}
				}}
			},
			Properties: []property.Property{rules.New("nobody speaks", `violation() :- before("c", 1), says("nobody", _, _).`)},
			Faults:     rounds.Bounds{Omissions: 9, NeverCrash: []string{"c"}},
			Warnings:   func([]system.Process) []string { return nil },
		}
		r, err := find(t.Context(), "uniform", target{System: s, Bounds: s.Faults}, search.Options{Executions: 3})
		require.NoError(t, err)
		require.Equal(t, want, r.Limit.Advice)
	}
}

// A search that is stopped says that every schedule can be executed, if it has made a tenth
// as many executions, and not before.
func TestAStoppedSearchOfFewSchedules(t *testing.T) {
	for executions, want := range map[int]result.List[string]{100: {"every one of the 43 schedules: --strategy enumerate --executions 43"}, 0: nil} {
		ctx, cancel := context.WithCancel(t.Context())
		if executions == 0 {
			cancel()
		}
		o := search.Options{Seed: 1, Workers: 1, Progress: func(result.Progress) { cancel() }}
		r, err := find(ctx, "uniform", target{System: replog.Fixed(), Bounds: rounds.Bounds{EOT: 14, Isolations: 1}}, o)
		require.NoError(t, err)
		require.Equal(t, executions, r.Search.Executions)
		require.Equal(t, result.LimitInterrupted, r.Limit.Kind)
		require.Equal(t, want, r.Limit.Advice)
	}
}
