package subject

import (
	"context"
	"errors"

	"github.com/lineage-driven/ldfi/internal/grace"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// Diff says by what a bad execution comes to break the promise that a good one keeps
// ([ldfi.Model.Diff]).
func (o *Opened) Diff(ctx context.Context, good, bad rounds.Schedule) (*result.Difference, error) {
	for _, s := range []rounds.Schedule{good, bad} {
		if err := o.Fits(s); err != nil {
			return nil, err
		}
	}
	model := o.Model()
	if model == nil {
		return nil, errors.New("two executions of a system cannot be compared yet")
	}
	return grace.Call(ctx, grace.Question, func() (*result.Difference, error) { return model.Diff(ctx, good, bad) })
}
