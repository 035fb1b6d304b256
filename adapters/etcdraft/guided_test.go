package etcdraft

import (
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/strategies/tabular"
	"github.com/stretchr/testify/require"
)

var guidedSteps = flag.Int("guided", 2_500, "steps of an execution in which abstract states are counted (250000 for the figures of the docs)")

// unguided is the world of Table 4.2.
var unguided = settings{election: 16, heartbeat: 4}

// policies are those of the thesis, by their names in the tables.
var policies = map[string]func() tabular.Policy{
	"random": func() tabular.Policy { return tabular.Random{} },
	"bonus":  func() tabular.Policy { return tabular.Bonus() },
	"negrl":  func() tabular.Policy { return tabular.NewNegative() },
}

// explore counts the states that executions of a world come to, in so many steps.
func explore(s settings, p tabular.Policy, seed uint64, steps int) map[string]bool {
	w, r, states := newWorld(s), rand.New(rand.NewPCG(seed, 1)), map[string]bool{}
	for steps > 0 {
		w.begin(r.Uint64())
		p.Begin(w.state(), 0)
		for range horizon {
			states[w.multiset()] = true
			numbers, actions := w.choices()
			ok := w.step(actions[p.Pick(r, numbers)])
			if steps--; !ok {
				break
			}
			p.Record(w.state(), 0)
		}
		p.End()
	}
	return states
}

// Policies that learn come to more states than random actions do; the same seed, to the same.
func TestGuided(t *testing.T) {
	counts := map[string]int{}
	for name, policy := range policies {
		states := explore(unguided, policy(), 1, *guidedSteps)
		require.Equal(t, states, explore(unguided, policy(), 1, *guidedSteps), name)
		counts[name] = len(states)
		t.Logf("%s: %d abstract states in %d steps", name, len(states), *guidedSteps)
	}
	require.Greater(t, counts["random"], *guidedSteps/25)
	require.Greater(t, counts["negrl"], counts["random"])
}
