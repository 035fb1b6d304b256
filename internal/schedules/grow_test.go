package schedules_test

import (
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// An environment to which faults are added one round after the other is the one of all of them.
func TestAdd(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	b := rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 40, CrashStop: true, Reliable: []string{"c>a"}}
	kinds := []rounds.Kind{rounds.Omit, rounds.Cut, rounds.Isolate, rounds.Delay, rounds.Duplicate, rounds.Lie, rounds.Tick, rounds.Crash}
	refused := 0
	for range 60 {
		grown, err := schedules.NewEnvironment(b, rounds.Schedule{})
		require.NoError(t, err)
		var all []rounds.Fault
		for round := 1; round <= b.EOT; round++ {
			var faults []rounds.Fault
			for range random.IntN(5) {
				f := rounds.Fault{Kind: kinds[random.IntN(len(kinds))], Process: b.Processes[random.IntN(3)], Round: round}
				switch f.Kind {
				case rounds.Omit, rounds.Cut, rounds.Delay, rounds.Duplicate, rounds.Lie:
					f.To = b.Processes[random.IntN(3)]
					f.Of = []string{"", "", "m", "n"}[random.IntN(4)]
				case rounds.Crash:
					if random.IntN(20) > 0 {
						continue
					}
				}
				switch f.Kind {
				case rounds.Cut, rounds.Isolate:
					f.Until = min(b.EOT, round+random.IntN(3)*random.IntN(8))
				case rounds.Delay, rounds.Duplicate, rounds.Tick:
					f.By = 1 + random.IntN(3)
				case rounds.Lie:
					f.Of, f.Detail = "m", "wrong"
				}
				faults = append(faults, f)
			}
			whole := append(all[:len(all):len(all)], faults...)
			other, wrong := schedules.NewEnvironment(b, rounds.Schedule{Faults: whole})
			err := grown.Add(faults...)
			require.Equal(t, wrong == nil, err == nil, "%v: %v, %v", whole, wrong, err)
			if wrong != nil {
				refused++
				require.Equal(t, wrong.Error(), err.Error())
				continue
			}
			all = whole
			if round%8 == 0 || round == b.EOT {
				requireSame(t, b, other, grown)
			}
			for i, f := range all {
				if to := f; f.Kind == rounds.Delay && round > f.Round && random.IntN(10) == 0 {
					if to.By = round - f.Round; random.IntN(2) == 0 {
						to.Kind, to.By = rounds.Omit, 0
					}
					changed := append([]rounds.Fault(nil), all...)
					changed[i] = to
					if (rounds.Schedule{Faults: changed}).Check(b) == nil {
						require.NoError(t, grown.Redirect(f, to))
						all = changed
					}
				}
			}
		}
	}
	require.Positive(t, refused)
}

func requireSame(t *testing.T, b rounds.Bounds, want, have *schedules.Environment) {
	t.Helper()
	require.Equal(t, want.Schedule(), have.Schedule())
	require.ElementsMatch(t, want.Later(), have.Later())
	n := len(b.Processes)
	for round := 1; round <= b.EOT; round++ {
		for from := -1; from < n; from++ {
			for to := range n {
				require.Equal(t, want.Delivers(from, to, round), have.Delivers(from, to, round))
				for _, kind := range []string{"", "m"} {
					cause, lost := want.Of(kind, 1).Cause(from, to, round)
					other, also := have.Of(kind, 1).Cause(from, to, round)
					require.Equal(t, lost, also)
					require.Equal(t, cause, other)
					require.ElementsMatch(t, want.Of(kind, 1).Postponed(from, to, round), have.Of(kind, 1).Postponed(from, to, round))
				}
			}
		}
	}
}
