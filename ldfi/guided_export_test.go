package ldfi

import (
	"context"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/guide"
)

// Reachable asks the solver which waypoints of a guide can be reached; false if the guide says more.
func Reachable(ctx context.Context, m *Model, g *guide.Guide) ([]*rounds.Schedule, bool, error) {
	d := &guided{Model: m, guide: g}
	program, heads, only := g.OnlyWaypoints()
	if !only {
		return nil, false, nil
	}
	all, err := d.reachable(ctx, program, heads)
	return all, true, err
}
