package worker

import (
	"context"
	"time"

	"github.com/lineage-driven/ldfi/internal/draws"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/work"
)

// someDraws makes some executions of a search of a system. What is not judged, or not
// exact, may come to something else the next time.
func someDraws(ctx context.Context, t *work.Task) (any, bool, error) {
	sent, err := asked[subject.SentPart](t)
	if err != nil {
		return nil, false, err
	}
	o, err := sent.Open(ctx, t)
	if err != nil {
		return nil, false, err
	}
	defer o.Close()
	start := time.Now()
	k, err := o.Part(ctx, sent.Part)
	if err != nil {
		return nil, false, err
	}
	return draws.Answer{Stretch: k, Took: time.Since(start)}, k.Unjudged == 0 && k.Inexact == "", nil
}
