package subject

import (
	"context"
	"errors"

	"github.com/lineage-driven/ldfi/internal/grace"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// WhatIf finds the smallest fault sets that make a fact of a protocol appear, or vanish.
func (o *Opened) WhatIf(ctx context.Context, asked result.Wanted) (*result.WhatIf, error) {
	m := o.Model()
	if m == nil {
		return nil, errors.New("what makes a fact appear or vanish is asked of protocols, not of systems")
	}
	if err := o.Idle(); err != nil {
		return nil, err
	}
	return grace.Call(ctx, grace.Question, func() (*result.WhatIf, error) { return m.WhatIf(ctx, asked) })
}
