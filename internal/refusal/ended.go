package refusal

import (
	"context"
	"errors"

	"github.com/lineage-driven/ldfi/ldfi/result"
)

// Ended says how a context ended: by its deadline, or because somebody stopped it.
func Ended(ctx context.Context) *result.Limit {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) || errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return &result.Limit{Kind: result.LimitTimeout, Reason: "the time is up"}
	}
	return &result.Limit{Kind: result.LimitInterrupted, Reason: "interrupted"}
}
