package subject

import (
	"context"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// guided executes one schedule with what the guide decides beside it, and then all of it
// without the guide.
func (h *OpenedSystem) guided(ctx context.Context, o *Opened, s rounds.Schedule) (*result.Injection, error) {
	if err := h.revive(ctx); err != nil {
		return nil, err
	}
	options := h.options()
	session, err := search.NewSession(&h.system().Target, options)
	if err != nil {
		return nil, err
	}
	x, err := session.Guided(true)
	if err != nil {
		return nil, err
	}
	e, violations, err := x.Execute(ctx, s)
	if err != nil {
		return nil, err
	}
	session.Count(0, e)
	in, err := o.replay(ctx, e.Schedule)
	if err != nil {
		return nil, err
	}
	for _, v := range violations {
		if v.Property == h.guide.Name() {
			in.Violations, in.Verdict = append(in.Violations, v), result.Violated
		}
	}
	in.Guidance = session.Guidance(false)
	return in, o.comment(ctx, in)
}
