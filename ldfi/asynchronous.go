package ldfi

import (
	"context"

	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// reach adds to an answer that holds whether it also holds in asynchronous executions. If
// the context ends before that is known, it adds nothing.
func (m *Model) reach(ctx context.Context, a *result.Answer) error {
	if a.Verdict != result.Holds {
		return nil
	}
	found, err := vet.Reach(ctx, m.program, m.bounds)
	if err != nil && ctx.Err() != nil {
		return nil
	}
	a.Asynchronous = found
	return err
}
