package guide_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// TestHeld compares searches that leave waypoints of random guides unharmed with what happens under every schedule.
func TestHeld(t *testing.T) {
	count := map[string]int{}
	for i := uint64(0); count["asked"] < max(*guide.Long/25, 4); i++ {
		c := randomlySurrounded(t, *guide.Seed+i)
		if c.guide.Waypoints() == 0 {
			continue
		}
		count["asked"]++
		all := c.violating(t)
		target, err := search.NewTarget(c.system, nil)
		require.NoError(t, err)
		a, err := strategies.Run(t.Context(), target, search.Options{Bounds: c.bounds, Guide: c.guide, Hold: true, Executions: 5 * all.schedules, Seed: i})
		require.NoError(t, err, c.what)
		require.Equal(t, "lineage", a.Search.Strategy)
		held := a.Guidance.Held
		count[fmt.Sprintf("%s with %d waypoints, violated elsewhere: %t", a.Verdict, held.Waypoints, held.Beside != nil)]++
		require.Len(t, held.Ways, held.Waypoints, c.what)
		switch a.Verdict {
		case result.Violated:
			c.replays(t, a.Counterexamples[0], c.what)
			e, reached := c.watched(t, a.Counterexamples[0].Schedule)
			require.GreaterOrEqual(t, reached, held.Waypoints, "%s\nfound %s\nheld %v", c.what, a.Counterexamples[0].Schedule, held.Ways)
			if _, _, only := c.guide.OnlyWaypoints(); only {
				harmed := func(m recording.Message) bool {
					text := fmt.Sprintf("%s %s>%s@%d", m.Relation, m.From, m.To, m.Round)
					return m.Lost && slices.ContainsFunc(held.Ways, func(w result.Way) bool { return slices.Contains(w.Messages, text) })
				}
				require.False(t, slices.ContainsFunc(e.Messages, harmed), "%s\nfound %s\nheld %v", c.what, a.Counterexamples[0].Schedule, held.Ways)
			}
		case result.Inconclusive:
			if all.farthest {
				count["missed"]++
			}
		case result.Holds:
			require.Zero(t, all.violated, c.what)
		}
		if held.Beside != nil {
			require.NotEqual(t, result.Holds, a.Verdict, c.what)
			require.Positive(t, all.violated, c.what)
		}
	}
	t.Log(count)
}

// breaking is what breaks the promise among all schedules.
type breaking struct {
	schedules, violated int
	farthest            bool // one that reaches as many waypoints as any
}

func (c surrounded) violating(t *testing.T) (all breaking) {
	t.Helper()
	target, err := search.NewTarget(c.system, nil)
	require.NoError(t, err)
	session, err := search.NewSession(target, search.Options{Bounds: c.bounds, Guide: c.guide, Workers: 1})
	require.NoError(t, err)
	executor, err := session.Guided(true)
	require.NoError(t, err)
	most := 0
	for schedule := range schedules.New(session.Bounds).All() {
		e, violations, err := executor.Execute(t.Context(), schedule)
		require.NoError(t, err, c.what)
		all.schedules++
		session.Count(all.schedules, e)
		if session.Prevents(all.schedules) {
			continue
		}
		reached := len(session.Waypoints(all.schedules))
		if reached > most {
			most, all.farthest = reached, false
		}
		if len(violations) > 0 {
			all.violated++
			all.farthest = all.farthest || reached == most
		}
	}
	return all
}

// watched executes a schedule, and tells how many waypoints are reached.
func (c surrounded) watched(t *testing.T, s rounds.Schedule) (*recording.Execution, int) {
	t.Helper()
	execute := func(s rounds.Schedule) (*recording.Execution, error) {
		return c.system.Run(t.Context(), s, system.RunOptions{})
	}
	e, err := execute(s)
	require.NoError(t, err, c.what)
	steering, err := c.guide.NewSteering(e.Bounds, true)
	require.NoError(t, err)
	e, o, err := steering.ByExecuting(t.Context(), s, execute)
	require.NoError(t, err, c.what)
	return e, len(o.Reached)
}
