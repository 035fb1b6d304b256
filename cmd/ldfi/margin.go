package main

import (
	"context"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/advise"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// beyond is a protocol that is asked within other bounds, with patience for each
// question.
type beyond struct {
	*subject.Opened
	ask advise.Ask
}

func (b beyond) SearchWithin(ctx context.Context, within rounds.Bounds) (*result.Answer, error) {
	return b.ask(ctx, within)
}

// margin asks how far a verdict goes.
func (s *session) margin(ctx context.Context, a *result.Answer, p beyond) *result.Margin {
	if a.Verdict != result.Holds {
		return &result.Margin{Note: fmt.Sprintf("nothing was asked: the verdict is %s, and a margin is how far holds goes", a.Verdict)}
	}
	return advise.Margin(ctx, p, s.progress.line)
}
