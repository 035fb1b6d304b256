package ldfi

import (
	"context"

	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// reach says in an answer that holds whether it does in asynchronous executions too.
// Where the context ends before that is known, nothing is said.
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
