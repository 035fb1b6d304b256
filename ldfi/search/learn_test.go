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

// Where global states are too many to keep, a solver that sees all that is known
// of the processes, as a program, comes to the same verdicts.
func TestLearnBySolver(t *testing.T) {
	for _, c := range []struct {
		system  *system.System
		verdict search.Verdict
	}{{replog.Buggy(), search.Violated}, {replog.Fixed(), search.Holds}} {
		t.Run(c.system.Name, func(t *testing.T) {
			r, err := search.Learn.Search(context.Background(), isolations(c.system, 2, 4), search.Options{Seed: 1, States: 1})
			require.NoError(t, err)
			require.Equal(t, c.verdict, r.Verdict, r.Reason)
			if c.verdict == search.Holds {
				require.Equal(t, "1105", r.Certificate.Schedules.String())
			}
		})
	}
}
