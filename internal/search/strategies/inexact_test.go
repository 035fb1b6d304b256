package strategies_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/inexact/inexacttest"
	"github.com/lineage-driven/ldfi/internal/minimality"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/stretchr/testify/require"
)

// What breaks in 14 of 20 executions is found, made smaller, counted, and never
// called confirmed.
func TestAFindingIsCountedWhereExecutionsDiffer(t *testing.T) {
	for _, strategy := range []string{"", "spread", "uniform", "sample", "lineage"} {
		s := inexacttest.Lucky("lucky", 14)
		a, err := find(t.Context(), strategy, target{System: s, Bounds: s.Faults}, search.Options{Workers: 1})
		require.NoError(t, err, strategy)
		c := a.First()
		require.NotNil(t, c, strategy)
		require.Equal(t, "isolate b@2; isolate b@3", c.Schedule.String(), strategy)
		require.Equal(t, 14, c.Repeats.Broken, strategy)
		require.Equal(t, 20, c.Repeats.Executions, strategy)
		require.Equal(t, 7, c.Repeats.Needed, strategy)
		require.False(t, c.Confirmed)
		require.False(t, c.Minimal)
		require.False(t, c.Irreducible)
		require.Equal(t, c.Schedule.String(), c.Execution.Schedule.String(), strategy)
		require.Equal(t, "2 faults, without any one of them fewer than 7 of 20 executions break; breaks in 14 of 20 executions of this schedule; `ldfi overlay` makes it exact", minimality.Text(c))
	}
}
