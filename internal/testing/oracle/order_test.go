package oracle_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// The canonical order, which the translation knows on its own, is that in which
// ldfi numbers faults and choices.
func TestOrder(t *testing.T) {
	campaign.Run(t, 300, func(_ context.Context, c oracle.Case) (string, error) {
		problem, err := oracle.Translate(c.Program, c.Bounds, c.Goals)
		if err != nil {
			return "not read", nil
		}
		var units []rounds.Fault
		u := schedules.New(c.Bounds)
		for n := range u.Len() {
			if u.Alive(n) {
				units = append(units, u.Fault(n))
			}
		}
		if !slices.Equal(units, problem.Units) {
			return "", fmt.Errorf("the units are %v, and not %v", problem.Units, units)
		}
		return "same", nil
	})
}

// Of two sets that break a promise the later one has the earlier one before it.
func TestFurther(t *testing.T) {
	needClingo(t)
	p, err := dedalus.Parse("../../../testdata/protocols/delivery/simple.ded")
	require.NoError(t, err)
	b, goals, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err)
	problem, err := oracle.Translate(p, b, goals)
	require.NoError(t, err)
	further := func(before string) string {
		s, err := rounds.ParseSchedule(before)
		require.NoError(t, err)
		earlier, _, err := problem.Further(t.Context(), nil, &s)
		require.NoError(t, err)
		return earlier.String()
	}
	require.Equal(t, "", further("omit a>b@1"))
	require.Equal(t, "omit a>b@1", further("omit a>c@1"))
	require.Equal(t, "", further("crash a@2"), "nothing is smaller, and earlier")
	require.NotEmpty(t, further("crash a@1; omit a>c@1"))
}
