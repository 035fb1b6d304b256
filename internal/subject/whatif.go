package subject

import (
	"context"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// WhatIf finds the smallest fault sets that make a fact appear, or vanish.
func (o *Opened) WhatIf(ctx context.Context, asked result.Wanted) (*result.WhatIf, error) {
	if err := o.Idle(); err != nil {
		return nil, err
	}
	if h, ok := o.asked.(*hosted); ok {
		return limits.Await(ctx, limits.QuestionGrace, func() (*result.WhatIf, error) { return h.whatIf(ctx, asked) })
	}
	m := o.Model()
	return limits.Await(ctx, limits.QuestionGrace, func() (*result.WhatIf, error) { return m.WhatIf(ctx, asked) })
}
