package worker

import (
	"context"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/work"
)

// search answers a question. Where it has no answer who asks finds out why.
func search(ctx context.Context, t *work.Task) (any, bool, error) {
	sent, err := asked[subject.Sent](t)
	if err != nil {
		return nil, false, err
	}
	o, err := sent.Open(ctx, t)
	if err != nil {
		return nil, false, err
	}
	defer o.Close()
	a, err := o.Search(ctx)
	if err != nil {
		return nil, false, err
	}
	return a, subject.Final(ctx, a), nil
}
