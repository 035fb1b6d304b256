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
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// From whole executions only: what breaks is found after few of them, and what is
// fixed is certified for every periodic schedule.
func TestLearn(t *testing.T) {
	for _, c := range []struct {
		title    string
		system   *system.System
		period   int
		verdict  result.Verdict
		most     int // executions
		schedule string
	}{
		{"the buggy log", replog.Buggy(), 4, result.Violated, 100, ""},
		{"the fixed log", replog.Fixed(), 4, result.Holds, 400, "244140625"},
		{"one ballot for two purposes", cassandra.Buggy(), 6, result.Violated, 500, ""},
		{"two ballots", cassandra.Fixed(), 6, result.Holds, 1300, "13841287201"},
	} {
		t.Run(c.title, func(t *testing.T) {
			r, err := find(context.Background(), "learn", isolations(c.system, rounds.Unlimited, c.period), search.Options{Seed: 1})
			require.NoError(t, err)
			require.Equal(t, c.verdict, r.Verdict, r.Summary())
			require.LessOrEqual(t, r.Search.Executions, c.most)
			if c.verdict == result.Holds {
				require.Equal(t, c.schedule, r.Search.Certificate.Schedules.String())
			}
		})
	}
}

// A property that reads messages is refused, whatever else is in its rules: what
// is compared are the facts that processes report.
func TestLearnRefusesMessages(t *testing.T) {
	for _, text := range []string{
		`violation(P) :- sent(P, _, _, _, _).`,
		`violation(P) :- sent(P, _, K, _, _), :string:starts_with(K, "x").`,
		`violation(P) :- isolated(P, _), appended(P, V, _), :string:starts_with(V, "x").`,
	} {
		s := *replog.Fixed()
		s.Properties = []property.Property{rules.New("quiet", text)}
		_, err := find(context.Background(), "learn", isolations(&s, 1, 4), search.Options{Seed: 1})
		require.ErrorContains(t, err, "a property reads ", text)
	}
}
