package ldfi

import (
	"context"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/guide"
)

// GuidedBySolver is Guided of a guide of waypoints, as it is asked where there are many schedules.
func GuidedBySolver(ctx context.Context, m *Model, g *guide.Guide) (*result.Answer, error) {
	d := &guided{Model: m, guide: g}
	a := m.unanswered()
	if _, err := d.solved(ctx, a); err != nil {
		return nil, err
	}
	return a, d.concludeWay(ctx, a)
}
