package search_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

func describe(s *system.System) *search.Description {
	d := search.Describe(s)
	return &d
}

// Who asks says what may go wrong, else the system does, else there are two
// isolations in four phases.
func TestDefaultBounds(t *testing.T) {
	s := replog.Fixed()
	three := []string{"p1", "p2", "p3"}
	asked := rounds.Bounds{Crashes: 2}
	require.Equal(t, rounds.Bounds{Processes: three, EOT: 16, Crashes: 2, CrashStop: true}, describe(s).DefaultBounds(asked))
	require.Equal(t, rounds.Bounds{Processes: three, EOT: 16, Isolations: 2, Period: 4, CrashStop: true}, describe(s).DefaultBounds(rounds.Bounds{}))

	s.Faults = rounds.Bounds{Isolations: 3, Period: 8, Pauses: 1}
	require.Equal(t, rounds.Bounds{Processes: three, EOT: 8, Isolations: 3, Period: 8, Pauses: 1, CrashStop: true}, describe(s).DefaultBounds(rounds.Bounds{EOT: 8}))
	require.Equal(t, rounds.Bounds{Processes: three, EOT: 16, Crashes: 2, Period: 8, CrashStop: true}, describe(s).DefaultBounds(asked), "one budget is one of them all")

	s.Faults.NeverCrash, s.Faults.Reliable = []string{"p1"}, []string{"*>p2"}
	b := describe(s).DefaultBounds(rounds.Bounds{})
	require.Equal(t, []string{"p1"}, b.NeverCrash)
	b = describe(s).DefaultBounds(rounds.Bounds{NeverCrash: []string{"p3"}, Reliable: []string{}})
	require.Equal(t, []string{"p1", "p3"}, b.NeverCrash)
	require.Nil(t, b.Reliable, "none takes away what the system says")

	s.Faults.From = 5
	require.Equal(t, 5, describe(s).DefaultBounds(rounds.Bounds{}).From)
	require.Equal(t, 5, describe(s).DefaultBounds(asked).From, "set-up stays without faults, whichever there are")
	require.Equal(t, 1, describe(s).DefaultBounds(rounds.Bounds{Crashes: 2, From: 1}).From)
	require.Equal(t, 7, describe(s).DefaultBounds(rounds.Bounds{From: 7}).From)
	b = describe(s).DefaultBounds(rounds.Bounds{EFF: 9})
	require.Equal(t, []int{5, 9}, []int{b.From, b.EFF}, "who says when losses end leaves it where they begin")

	s.Faults.NeverCrash = []string{"p9"}
	require.ErrorContains(t, s.Validate(), `Faults: bounds: never-crash=p9: there is no process "p9"`)
	s.Faults.NeverCrash, s.Faults.Crashes = nil, -5
	require.ErrorContains(t, s.Validate(), "Faults: ")
}

// What a system says beside budgets stands until somebody says something else, whether
// that comes with a budget or not: the same schedules are meant either way.
func TestWhatASystemSaysStands(t *testing.T) {
	s := replog.Fixed()
	three := []string{"p1", "p2", "p3"}
	own := rounds.Bounds{Processes: three, EOT: 16, CrashStop: true, EFF: 9, Period: 3, MaxJump: 4, MaxDelay: 5, Phase: []string{"a", "b", "c"}, NeverCrash: []string{"p1"}, Reliable: []string{"p1>*"}, Deliver: "2", Kernel: "yes"}
	for _, budget := range []rounds.Bounds{{}, {Isolations: 2}, {Omissions: 1, Crashes: 3, Restarts: 1}} {
		s.Faults = own
		s.Faults.Isolations, s.Faults.Pauses = 7, 2
		if budget.Isolations+budget.Omissions == 0 { // of the system, which has assumptions alone
			s.Faults.Isolations, s.Faults.Pauses = 0, 0
		}
		want := own
		want.Isolations, want.Omissions, want.Crashes, want.Restarts = budget.Isolations, budget.Omissions, budget.Crashes, budget.Restarts
		if budget.Isolations+budget.Omissions == 0 {
			want.Isolations = 2
		}
		got := describe(s).DefaultBounds(budget)
		require.Equal(t, want, got)
		require.Equal(t, want, describe(s).Whole(got), "what is filled in stays as it is")

		with := budget
		with.EFF, with.Period, with.MaxJump, with.MaxDelay, with.Phase, with.NeverCrash, with.Reliable, with.Deliver, with.Kernel = 5, 2, 1, 1, []string{"x", "y"}, []string{}, []string{}, "none", "none"
		want.EFF, want.Period, want.MaxJump, want.MaxDelay, want.Phase, want.NeverCrash, want.Reliable, want.Deliver, want.Kernel = 5, 2, 1, 1, []string{"x", "y"}, nil, nil, "", ""
		got = describe(s).DefaultBounds(with)
		require.Equal(t, want, got)
		require.Equal(t, want, describe(s).Whole(got), "none is not filled in again")
	}
}

// Without bounds a guide decides about the links and processes that the system does not assume
// anything of: what it decides is a schedule that the system allows.
func TestUnfaultedKeepsAssumptions(t *testing.T) {
	s := replog.Fixed()
	s.Faults = rounds.Bounds{Isolations: 3, NeverCrash: []string{"p1"}, Reliable: []string{"*>p2"}}
	b := describe(s).Unfaulted(rounds.Bounds{})
	require.Equal(t, rounds.Bounds{Processes: []string{"p1", "p2", "p3"}, EOT: 16, CrashStop: true, NeverCrash: []string{"p1"}, Reliable: []string{"*>p2"}}, b)
	b = describe(s).Unfaulted(rounds.Bounds{NeverCrash: []string{}, Reliable: []string{"*>p3"}})
	require.Nil(t, b.NeverCrash, "none takes away what the system says")
	require.Equal(t, []string{"*>p2", "*>p3"}, b.Reliable)
}

// Bounds that cannot be searched are refused in the words of rounds.
func TestSessionRefusesBounds(t *testing.T) {
	target, err := search.NewTarget(replog.Fixed(), nil)
	require.NoError(t, err)
	_, err = search.NewSession(target, search.Options{Bounds: rounds.Bounds{Isolations: 1, Period: -2}})
	require.EqualError(t, err, "bounds: period=-2: a phase has at least one round")
	_, err = search.NewSession(target, search.Options{Settings: rounds.Settings{Reliable: "*>p1"}, Bounds: rounds.Bounds{Isolations: 1, Reliable: []string{"*>p2"}}})
	require.EqualError(t, err, "the settings say reliable *>p1: that belongs to the bounds")
}

// That faults begin with phases can be asked for without saying anew which there are.
func TestAtPhaseOfTheSystem(t *testing.T) {
	s := replog.Buggy()
	s.Faults = rounds.Bounds{Isolations: 4, Period: 4}
	require.Equal(t, "phase", describe(s).DefaultBounds(rounds.Bounds{At: "phase"}).At)
	require.Empty(t, describe(s).DefaultBounds(rounds.Bounds{}).At)
}
