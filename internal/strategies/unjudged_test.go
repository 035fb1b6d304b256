package strategies_test

import (
	"context"
	"testing"

	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

// What is not judged makes a search inconclusive, by every strategy, unless
// something else is violated.
func TestUnjudged(t *testing.T) {
	slow := property.Property{Name: "slow", FactsOnly: true, Func: func(e *recording.Execution) []result.Violation {
		for _, f := range e.Facts {
			if f.Relation == "leader" && f.Args[0].Text() != "a" { // who leads without faults
				panic(&limits.UnjudgedError{Why: "it takes too long"})
			}
		}
		return nil
	}}
	bounds := rounds.Bounds{Isolations: 1, Period: 2, EFF: 5}
	for _, strategy := range strategies.Names() {
		if strategy == "drop" || strategy == "pct" || strategy == "ahead" {
			continue // they draw omissions only, and behind waypoints
		}
		t.Run(strategy, func(t *testing.T) {
			ask := func(buggy bool, properties ...property.Property) *result.Answer {
				s := election.Fixed()
				if buggy {
					s = election.Buggy()
				}
				target, err := search.NewTarget(s, properties)
				require.NoError(t, err)
				a, err := strategies.Run(context.Background(), target, search.Options{Bounds: target.DefaultBounds(bounds), Strategy: strategy, Executions: 200, Guide: guided[strategy]})
				require.NoError(t, err)
				return a
			}
			unique := property.UniquePerTerm("leader")
			progress := property.EventualProgress("leader", 2, 4) // for lineage, which looks for outcomes
			a := ask(false, slow, unique, progress)
			require.Equal(t, result.Inconclusive, a.Verdict)
			require.Equal(t, limits.Judgement, a.Limit.Kind)
			require.Nil(t, a.Search.Certificate)
			require.Regexp(t, `^\d+ executions? not judged, the first under .*isolate .@.*: slow: it takes too long`, a.Limit.Reason)
			if strategy != "lineage" { // which does not find the bug
				require.Equal(t, result.Violated, ask(true, slow, unique, progress).Verdict)
			}
		})
	}
}
