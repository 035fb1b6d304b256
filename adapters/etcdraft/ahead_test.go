package etcdraft

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/property"
	_ "github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// behindLeader counts the states that the executions of a strategy come to once there was a
// leader of term 4: what each node has reported last of its role, log, vote and commit index.
func behindLeader(t *testing.T, strategy string, seed uint64, executions int) (states, reached int) {
	g, err := guide.Parse("leader.mg", `
		waypoint(1, R) :- role(_, _, 3, R).
		waypoint(2, R) :- leader(_, 4, R).
	`)
	require.NoError(t, err)
	seen := map[string]bool{}
	count := property.Property{Name: "count", FactsOnly: true, Func: func(e *recording.Execution) []result.Violation {
		present, there, round := map[string]string{}, false, 0
		for _, f := range e.Facts {
			if there && f.Round > round {
				seen[fmt.Sprint(slices.Sorted(maps.Values(present)))] = true
			}
			there = there || f.Relation == "leader" && fmt.Sprint(f.Args[1]) == "4"
			round, f.Round = f.Round, 0
			present[f.Args[0].Text()+f.Relation] = f.String()
		}
		if there {
			reached++
			seen[fmt.Sprint(slices.Sorted(maps.Values(present)))] = true
		}
		return nil
	}}
	o := newObserved(horizon)
	o.MinTicks, o.MaxTicks = 1, 2*stepTicks-1
	o.Requests = etcd.EveryLeader(o.Processes, horizon/requests, horizon, horizon/requests, func(round int) any { return etcd.Propose(fmt.Sprint(round)) })
	target, err := search.NewTarget(o.System, []property.Property{count})
	require.NoError(t, err)
	bounds := o.Bounds(horizon)
	bounds.Isolations, bounds.Period, bounds.Crashes, bounds.CrashStop, bounds.Restarts, bounds.Pauses = 4, 5, 1, true, 1, 0
	_, err = strategies.Run(t.Context(), target, search.Options{Strategy: strategy, Bounds: bounds, Executions: executions, Seed: seed, Guide: g, Workers: 1})
	require.NoError(t, err)
	return len(seen), reached
}

// Schedules that go on from waypoints lead to more states behind the target than those that
// are drawn anew.
func TestAheadOfLeader(t *testing.T) {
	ahead, often := behindLeader(t, "ahead", 1, *guidedSteps/horizon)
	spread, rarely := behindLeader(t, "spread", 1, *guidedSteps/horizon)
	t.Logf("ahead: %d states, reached by %d; spread: %d, by %d", ahead, often, spread, rarely)
	require.Greater(t, ahead, 3*spread/2)
}
