package etcdraft

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/strategies/tabular"
	"github.com/stretchr/testify/require"
)

// crashing is the world of Table 4.4.
var crashing = settings{election: 9, heartbeat: 3, crashes: 3}

// reaching counts the states that executions of a policy come to once a target was reached,
// for several targets at once. A policy that is led by waypoints is led by those of the first.
func reaching(targets []target, p tabular.Policy, led bool, seed uint64, steps int) []int {
	w, r := newWorld(crashing), rand.New(rand.NewPCG(seed, 1))
	states := make([]map[string]bool, len(targets))
	for i := range states {
		states[i] = map[string]bool{}
	}
	waypoint := func() int {
		if !led {
			return 0
		}
		return targets[0].highest(w)
	}
	for steps > 0 {
		w.begin(r.Uint64())
		p.Begin(w.state(), waypoint())
		there := make([]bool, len(targets))
		for range horizon {
			for i := range targets {
				if there[i] = there[i] || targets[i].last()(w); there[i] {
					states[i][w.multiset()] = true
				}
			}
			numbers, actions := w.choices()
			ok := w.step(actions[p.Pick(r, numbers)])
			if steps--; !ok {
				break
			}
			p.Record(w.state(), waypoint())
		}
		p.End()
	}
	var counts []int
	for _, s := range states {
		counts = append(counts, len(s))
	}
	return counts
}

// beginning is how an execution began.
type beginning struct {
	seed    uint64
	actions []action
}

// beyond counts the states that executions come to once a target was reached, where they go on
// as those of the strategy ahead do: from what its archive has kept, by kinds of actions that
// led to new states. Actions are proposed by negrl. The steps of the beginning count as well.
// Every eighth execution begins anew.
func beyond(t *target, seed uint64, steps int) int {
	w, r := newWorld(crashing), rand.New(rand.NewPCG(seed, 2))
	p, kinds, archive := tabular.NewNegative(), tabular.NewKinds(), tabular.NewArchive[beginning](len(t.waypoints))
	seen, states := map[string]bool{}, map[string]bool{} // of which are behind the target
	for n := 0; steps > 0; n++ {
		from, goesOn := beginning{seed: r.Uint64()}, false
		if n%8 > 0 {
			if b, ok := archive.Choose(r); ok {
				from, goesOn = b, len(b.actions) > 0
			}
		}
		w.begin(from.seed)
		p.Begin(w.state(), 0)
		highest, there := 0, false
		var actions []action
		for i := range horizon {
			h := t.highest(w)
			so := func() beginning { return beginning{from.seed, slices.Clone(actions)} }
			state := w.multiset()
			if there = there || h == len(t.waypoints); there {
				states[state] = true
				if i >= len(from.actions) {
					archive.Visit(state, i, so)
				}
			}
			if goesOn && i > len(from.actions) {
				kinds.Note(kindOf(actions[i-1]), !seen[state])
			}
			seen[state] = true
			for ; !there && highest < h; highest++ {
				archive.Reach(highest+1, i, so())
			}
			numbers, all := w.choices()
			k := p.Pick(r, numbers)
			a, again := all[k], i < len(from.actions)
			if again {
				a = from.actions[i]
			} else if goesOn {
				for lists := kindsOf(all); !kinds.Accept(r, lists, k); {
					k = p.Pick(r, numbers)
				}
				a = all[k]
			}
			actions = append(actions, a)
			ok := w.step(a)
			if steps--; !ok {
				break
			}
			if again {
				p.Begin(w.state(), 0) // nothing is learned
			} else {
				p.Record(w.state(), 0)
			}
		}
		p.End()
	}
	return len(states)
}

// kindOf is the kind of an action: a partition, by the number of parts.
func kindOf(a action) string {
	if a.kind == "parts" {
		return fmt.Sprint(a.kind, slices.Max(a.parts[:]))
	}
	return a.kind
}

// kindsOf are lists of the kind of each action.
func kindsOf(actions []action) (lists [][]string) {
	for _, a := range actions {
		lists = append(lists, []string{kindOf(a)})
	}
	return lists
}

// Waypoints lead to more states behind a target than random actions come to.
func TestBeyond(t *testing.T) {
	gap := targets[:1]
	random := reaching(gap, tabular.Random{}, false, 1, *guidedSteps)[0]
	led := reaching(gap, tabular.NewWaypoint(len(gap[0].waypoints)), true, 1, *guidedSteps)[0]
	ours := beyond(&gap[0], 1, *guidedSteps)
	t.Logf("%s: random %d, waypoint %d, ours %d", gap[0].name, random, led, ours)
	require.Greater(t, ours, 2*random)
	require.Equal(t, ours, beyond(&gap[0], 1, *guidedSteps))
}
