package answerset_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/answerset"
	"github.com/lineage-driven/ldfi/internal/roundstest"
	"github.com/lineage-driven/ldfi/internal/universe"
	"github.com/lineage-driven/ldfi/rounds"
)

// The canonical order, which the translation knows on its own, is that in which
// ldfi numbers faults and choices.
func TestOrder(t *testing.T) {
	campaign.Run(t, 300, func(_ context.Context, c roundstest.Case) (string, error) {
		problem, err := answerset.Translate(c.Program, c.Bounds, c.Goals)
		if err != nil {
			return "not read", nil
		}
		var units []rounds.Fault
		u := universe.New(c.Bounds)
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
