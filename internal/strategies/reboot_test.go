package strategies_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

// hasty is one of several processes that keep a value. Its disk needs a while to
// write what it has when the process ends: who is down for at most two rounds finds
// nothing when it comes back.
type hasty struct {
	has   bool
	alive int // the last round in which it took part
}

func (h *hasty) Send(*system.Step) {}

func (h *hasty) Receive(s *system.Step, _ []system.Message) { h.alive = s.Round() }

func (h *hasty) Restart(s *system.Step) {
	if h.has && s.Round()-h.alive-1 <= 2 {
		h.has = false
		s.Fact("lost", "value")
	}
}

// forgetting is a system of three such processes, which must not lose the value on
// two of them.
func forgetting() *system.System {
	return &system.System{
		Name: "forgetting", Processes: []string{"a", "b", "c"}, Rounds: 200, Fixed: true,
		New: func(string, *rand.Rand) system.Process { return &hasty{has: true} },
		Properties: []property.Property{{Name: "kept", FactsOnly: true, Func: func(e *recording.Execution) []result.Violation {
			if len(e.Facts) < 2 {
				return nil
			}
			return []result.Violation{{Property: "kept"}}
		}}},
	}
}

// Quick reboots of two processes are what it takes. Restarts drawn uniformly to the
// end are quick about once in ten times, and two of them once in a hundred.
func TestQuickReboots(t *testing.T) {
	for strategy, most := range map[string]int{"": 40, "sample": 40} {
		var all []int
		for seed := range uint64(15) {
			target := target{System: forgetting(), Bounds: rounds.Bounds{Crashes: 2, Restarts: 2}}
			a, err := find(context.Background(), strategy, target, search.Options{Seed: seed, Executions: 5000})
			require.NoError(t, err)
			executions := a.Search.Executions
			if a.Verdict != result.Violated {
				executions = 5000
			}
			all = append(all, executions)
		}
		slices.Sort(all)
		t.Logf("strategy %q: median %d, most %d", strategy, all[7], all[14])
		require.LessOrEqual(t, all[7], most, strategy)
	}
}
