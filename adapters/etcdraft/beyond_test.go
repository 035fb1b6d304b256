package etcdraft

import (
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

// The parameters of beyond.
const (
	unguidedOneIn = 8
	beforeOneIn   = 3   // goes on from a waypoint before the target
	farBehind     = 5   // states this many steps behind the soonest that the target was reached are gone on from
	candidates    = 9   // of which the one that was visited least is taken
	keepOfEach    = 200 // of a waypoint
)

// beginning is how an execution began.
type beginning struct {
	seed    uint64
	actions []action
	visits  int // of where it leads
}

// beyond counts the states that executions come to once a target was reached, where they
// begin as others that have got far, and go on otherwise: from the state behind the target
// that was visited least, of some, or from a waypoint. What follows is picked by negrl. The
// steps of the beginning count as well. Every eighth execution begins anew.
func beyond(t *target, seed uint64, steps int) int {
	w, r := newWorld(crashing), rand.New(rand.NewPCG(seed, 2))
	p := tabular.NewNegative()
	behind := map[string]*beginning{} // by the state
	var known []*beginning            // the same
	before := make([][]*beginning, len(t.waypoints))
	states, soonest := map[string]bool{}, horizon
	for n := 0; steps > 0; n++ {
		from := &beginning{seed: r.Uint64()}
		if n%unguidedOneIn > 0 {
			from = choose(r, known, before, from)
		}
		w.begin(from.seed)
		p.Begin(w.state(), 0)
		highest, there := 0, false
		var actions []action
		for i := range horizon {
			h := t.highest(w)
			so := func() *beginning { return &beginning{from.seed, slices.Clone(actions), 0} }
			if there = there || h == len(t.waypoints); there {
				soonest = min(soonest, i)
				state := w.multiset()
				states[state] = true
				if b := behind[state]; b != nil {
					b.visits++
				} else if i <= soonest+farBehind {
					behind[state] = so()
					known = append(known, behind[state])
				}
			}
			for ; !there && highest < h; highest++ {
				if len(before[highest]) < keepOfEach {
					before[highest] = append(before[highest], so())
				} else {
					before[highest][n%keepOfEach] = so()
				}
			}
			numbers, all := w.choices()
			a := all[p.Pick(r, numbers)]
			again := i < len(from.actions)
			if again {
				a = from.actions[i]
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

// choose returns how an execution begins: as one that reached a waypoint or, if there is
// none, as told.
func choose(r *rand.Rand, behind []*beginning, before [][]*beginning, otherwise *beginning) *beginning {
	farthest := len(before) - 1
	for farthest >= 0 && len(before[farthest]) == 0 {
		farthest--
	}
	from := behind
	if farthest >= 0 && (len(behind) == 0 || r.IntN(beforeOneIn) == 0) {
		from = before[r.IntN(farthest+1)]
	}
	if len(from) == 0 {
		return otherwise
	}
	least := from[r.IntN(len(from))]
	for range candidates - 1 {
		if other := from[r.IntN(len(from))]; other.visits < least.visits {
			least = other
		}
	}
	least.visits++
	return least
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
