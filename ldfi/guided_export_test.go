package ldfi

import (
	"context"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
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

// Assumed asks the solver with what a guide decides whatever happens; false if that is not all, or the solver cannot tell.
func Assumed(ctx context.Context, m *Model, g *guide.Guide) (*result.Answer, bool, error) {
	d := &guided{Model: m, guide: g}
	a := m.unanswered()
	asked, err := d.assumed(ctx, a)
	return a, asked, err
}

// WorldOf evaluates a program under one schedule, as explanations do.
func WorldOf(ctx context.Context, m *Model, s rounds.Schedule) (*provenance.World, error) {
	w, _, err := m.world(ctx, s)
	return w, err
}
