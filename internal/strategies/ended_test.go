package strategies_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// impatient is a context that ends when it is asked once too often whether it has.
type impatient struct {
	context.Context
	end  context.CancelFunc
	left atomic.Int64
}

func newImpatient(t *testing.T, questions int64) *impatient {
	c := &impatient{}
	c.left.Store(questions)
	c.Context, c.end = context.WithCancel(t.Context())
	t.Cleanup(c.end)
	return c
}

func (c *impatient) Err() error {
	if c.left.Add(-1) < 0 {
		c.end()
	}
	return c.Context.Err()
}

// Wherever its context ends a search, it certifies only what it has looked at as a
// whole, and reports no violation that was not executed.
func TestSearchesThatEndAnywhere(t *testing.T) {
	silent := target{System: broadcast(0), Bounds: rounds.Bounds{Isolations: 2, Period: 2, Omissions: 3}}
	silent.Properties = []property.Property{rules.New("quiet", `violation(P) :- heard(P, _).`)}
	short := replog.Fixed()
	short.Rounds = 6
	for _, c := range []struct {
		strategy string
		target   target
		options  search.Options
		verdict  result.Verdict
	}{
		{"exhaustive", isolations(short, 2, 3), search.Options{}, result.Holds},
		{"exhaustive", isolations(replog.Buggy(), 2, 4), search.Options{}, result.Violated},
		{"learn", isolations(short, 2, 3), search.Options{}, result.Holds},
		{"learn", isolations(replog.Buggy(), 2, 4), search.Options{}, result.Violated},
		{"lineage", silent, search.Options{}, result.Holds},
		{"lineage", isolations(replog.Buggy(), 2, 4), search.Options{}, result.Violated},
		{"spread", isolations(replog.Buggy(), 2, 4), search.Options{Workers: 1}, result.Violated},
	} {
		whole, err := find(t.Context(), c.strategy, c.target, c.options)
		require.NoError(t, err)
		require.Equal(t, c.verdict, whole.Verdict, "%s: %s", c.strategy, whole.Summary())
		early := 0
		for questions := int64(0); ; questions += 1 + questions/2 {
			a, err := find(newImpatient(t, questions), c.strategy, c.target, c.options)
			require.NoError(t, err, "%s, %d questions", c.strategy, questions)
			if a.Verdict != result.Inconclusive {
				require.Equal(t, whole.Verdict, a.Verdict, "%s, %d questions", c.strategy, questions)
				whole.Search.Further, a.Search.Further = 0, 0 // the search for fewer faults may have ended early
				whole.Search.Below, a.Search.Below = 0, 0
				require.Equal(t, whole.Search, a.Search, "%s, %d questions", c.strategy, questions)
				require.Equal(t, c.verdict == result.Violated, a.First() != nil)
				break
			}
			require.Equal(t, result.LimitInterrupted, a.Limit.Kind, "%s, %d questions", c.strategy, questions)
			early++
		}
		t.Logf("%s: %d searches ended early", c.strategy, early)
		require.Positive(t, early)
	}
}
