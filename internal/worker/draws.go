package worker

import (
	"context"

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
	d, err := o.Draw(ctx, sent.Part)
	if err != nil {
		return nil, false, err
	}
	return d, d.Stretch.Unjudged == 0 && d.Stretch.Inexact == "", nil
}
