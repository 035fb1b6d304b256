package strategies_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/testing/systems"
	"github.com/stretchr/testify/require"
)

// What only some orders of goroutines bring out is found if they are drawn, and the
// schedule says which; otherwise it does not have one.
func TestOrdersOfGoroutinesAreDrawn(t *testing.T) {
	for _, strategy := range []string{"", "spread", "uniform", "sample"} {
		racing := systems.Racing("racing", true)
		a, err := find(t.Context(), strategy, target{System: racing, Bounds: racing.Faults}, search.Options{GoroutineOrders: true})
		require.NoError(t, err, strategy)
		c := a.First()
		require.NotNil(t, c, strategy)
		require.Regexp(t, `^goroutines \d+; isolate b@2$`, c.Schedule.String(), strategy)
		require.EqualValues(t, 1, c.Schedule.Settings.Goroutines.Value%4)
		require.Equal(t, "1 fault, minimal with this seed and order of goroutines", c.Minimality())
		require.True(t, c.Confirmed)

		a, err = find(t.Context(), strategy, target{System: racing, Bounds: racing.Faults}, search.Options{Executions: 300})
		require.NoError(t, err)
		require.Nil(t, a.First(), "%s: no order is drawn unasked", strategy)

		always := systems.Racing("always", false)
		a, err = find(t.Context(), strategy, target{System: always, Bounds: always.Faults}, search.Options{GoroutineOrders: true})
		require.NoError(t, err)
		require.Equal(t, "isolate b@2", a.First().Schedule.String(), strategy)
	}
}

// Nobody draws orders that processes do not have, and no strategy with one order only
// takes part.
func TestOrdersOfGoroutinesAreRefused(t *testing.T) {
	lucky, racing := systems.Lucky("lucky", 14), systems.Racing("racing", true)
	_, err := find(t.Context(), "", target{System: lucky, Bounds: lucky.Faults}, search.Options{GoroutineOrders: true})
	require.EqualError(t, err, `goroutine orders: no process of system "lucky" has goroutines whose order could be drawn (system.Machined): leave them out`)
	for _, strategy := range []string{"lineage", "learn", "exhaustive"} {
		_, err = find(t.Context(), strategy, target{System: racing, Bounds: racing.Faults}, search.Options{GoroutineOrders: true})
		require.ErrorContains(t, err, "executes all schedules with one order of goroutines", strategy)
	}
}
