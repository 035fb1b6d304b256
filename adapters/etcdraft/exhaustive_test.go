package etcdraft_test

import (
	"fmt"
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/adapters/etcd/etcdtest"
	"github.com/lineage-driven/ldfi/adapters/etcdraft"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
	"go.etcd.io/raft/v3"
)

// Scopes of which every schedule is executed, for 3 processes and 40 rounds.
var scopes = []rounds.Bounds{
	{Isolations: 1, Period: 10},
	{Pauses: 1, Period: 10},
	{Crashes: 1, Restarts: 1},
	{Isolations: 2, Period: 10},
	{Isolations: 1, Pauses: 1, Period: 10},
	{Isolations: 3, Period: 10},
	{Isolations: 1, Period: 10, Crashes: 1, Restarts: 1},
}

// No schedule of these scopes breaks safety, with one seed and two ticks a
// round: elections take five to ten rounds, so that within an isolation the
// others get a new leader. A default run leaves out scopes with more than a few
// schedules; those with at most N are executed with -long N.
func TestEverySchedule(t *testing.T) {
	for _, config := range []struct {
		name      string
		configure func(*raft.Config)
	}{
		{"plain", nil},
		{"prevote", func(c *raft.Config) { c.PreVote, c.CheckQuorum = true, true }},
	} {
		s := etcdraft.System(etcdtest.Processes, config.configure)
		s.Requests = append(
			etcd.Every(etcdtest.Processes, 10, 35, 5, func(p string, round int) any { return etcd.Propose(fmt.Sprint(p, round)) }),
			etcd.Every(etcdtest.Processes, 12, 40, 4, func(string, int) any { return etcd.ReadIndex{} })...)
		for _, b := range scopes {
			b.Processes, b.EOT, b.CrashStop = etcdtest.Processes, 40, true
			t.Run(fmt.Sprintf("%s/%s", config.name, b), func(t *testing.T) {
				const few = 200
				if n := schedules.Count(b); n.Int64() > int64(max(*long, few)) {
					t.Skipf("%s schedules: run with -long %s", n, n)
				}
				executeAll(t, s, b)
			})
		}
	}
}

func executeAll(t *testing.T, s *system.System, b rounds.Bounds) {
	target, err := search.NewTarget(s, nil)
	require.NoError(t, err)
	j := target.Judge(b.EOT, false)
	executed, leaders := 0, 0
	for schedule := range schedules.New(b).All() {
		schedule = schedule.With(rounds.Settings{Seed: rounds.Set(1), Ticks: rounds.Set(2)})
		e, violations, err := j.Execute(t.Context(), schedule)
		require.NoError(t, err)
		require.Empty(t, violations, "%s", schedule)
		executed++
		leaders += changes(e)
	}
	require.EqualValues(t, schedules.Count(b).Int64(), executed)
	t.Logf("%d schedules, all executed; %d leaders were elected", executed, leaders)
}

// changes counts the terms with a leader.
func changes(e *recording.Execution) int {
	terms := map[int64]bool{}
	for _, f := range e.Facts {
		if f.Relation == "leader" {
			terms[f.Args[1].Int()] = true
		}
	}
	return len(terms)
}
