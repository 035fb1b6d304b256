package worker

import (
	"context"

	"github.com/lineage-driven/ldfi/internal/hunt"
	"github.com/lineage-driven/ldfi/internal/unit"
)

// someSeeds runs a test with some seeds. One that failed may do so because of the machine.
func someSeeds(ctx context.Context, t *unit.Task) (any, bool, error) {
	ask, err := asked[hunt.Ask](t)
	if err != nil {
		return nil, false, err
	}
	a, err := hunt.Do(ctx, t, ask)
	if err != nil {
		return nil, false, err
	}
	return a, a.Passed, nil
}
