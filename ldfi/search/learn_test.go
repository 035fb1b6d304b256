package search_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/system/examples/cassandra"
	"github.com/lineage-driven/ldfi/rounds/system/examples/replog"
)

// From whole executions only: what breaks is found after few of them, and what is
// fixed is certified for every periodic schedule.
func TestLearn(t *testing.T) {
	for _, c := range []struct {
		title    string
		system   *system.System
		period   int
		verdict  search.Verdict
		most     int // executions
		schedule string
	}{
		{"the buggy log", replog.Buggy(), 4, search.Violated, 100, ""},
		{"the fixed log", replog.Fixed(), 4, search.Holds, 400, "244140625"},
		{"one ballot for two purposes", cassandra.Buggy(), 6, search.Violated, 500, ""},
		{"two ballots", cassandra.Fixed(), 6, search.Holds, 1300, "13841287201"},
	} {
		t.Run(c.title, func(t *testing.T) {
			r, err := search.Learn.Search(context.Background(), isolations(c.system, rounds.Unlimited, c.period), search.Options{Seed: 1})
			require.NoError(t, err)
			require.Equal(t, c.verdict, r.Verdict, r.Reason)
			require.LessOrEqual(t, r.Executions, c.most)
			if c.verdict == search.Holds {
				require.Equal(t, c.schedule, r.Certificate.Schedules.String())
			}
		})
	}
}
