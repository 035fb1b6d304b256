package strategies_test

import (
	"context"
	"testing"

	"github.com/lineage-driven/ldfi/examples/cassandra"
	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// Without a limit on isolations: what breaks has its smallest number of them,
// and what is fixed is certified for every periodic schedule.
func TestExhaustive(t *testing.T) {
	for _, c := range []struct {
		title     string
		system    *system.System
		period    int
		smallest  int // isolations that break it, 0 if none do
		schedules string
	}{
		{"the buggy log breaks with two isolations", replog.Buggy(), 4, 2, ""},
		{"the fixed log never", replog.Fixed(), 4, 0, "244140625"},
		{"one ballot for two purposes breaks with three", cassandra.Buggy(), 6, 3, ""},
		{"two ballots never", cassandra.Fixed(), 6, 0, "13841287201"},
	} {
		t.Run(c.title, func(t *testing.T) {
			r, err := find(context.Background(), "exhaustive", isolations(c.system, rounds.Unlimited, c.period), search.Options{})
			require.NoError(t, err)
			if c.smallest == 0 {
				require.Equal(t, result.Holds, r.Verdict, r.Summary())
				require.Equal(t, c.schedules, r.Search.Certificate.Schedules.String())
				return
			}
			require.Equal(t, result.Violated, r.Verdict)
			require.True(t, r.First().Minimal)
			require.Equal(t, c.smallest, r.First().Schedule.Size(), r.First().Schedule.String())
		})
	}
}
