package subject

import (
	"context"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// mostLost limits the messages that are lost, each alone, to find the messages that a fact
// needs.
const mostLost = 300

// Reasons explains why a fact of the system holds under a schedule, or why it does not. It
// executes the schedule, and others that differ from s in one message or one fault.
func (h *OpenedSystem) Reasons(ctx context.Context, fact string, s rounds.Schedule) (*causality.Reasons, error) {
	return fitting(ctx, h, s, func() (*causality.Reasons, error) { return h.reasons(ctx, fact, s) })
}

func (h *OpenedSystem) reasons(ctx context.Context, fact string, s rounds.Schedule) (*causality.Reasons, error) {
	q, err := dedalus.ParseQuery(fact)
	if err != nil {
		return nil, err
	}
	if q.Round > h.limits.EOT {
		return nil, fmt.Errorf("fact %q: round %d is after the last round, %d", fact, q.Round, h.limits.EOT)
	}
	if why := h.System.Inexact; why != "" {
		return nil, fmt.Errorf("two executions of one schedule of system %q may differ, so comparing them does not show what a fact needs%s", h.Name, result.InexactAdvice(why))
	}
	text := patternText(&q, h.Bounds())
	if q.Round > 0 {
		text += fmt.Sprintf("@%d", q.Round)
	}
	return causality.FindReasons(ctx, causality.Asked{Query: q, Text: text, Schedule: s, Bounds: h.Bounds(), Most: mostLost, Execute: h.recorded, Progress: h.question.Progress})
}

// recorded executes a schedule up to its last round, and returns the recording. If a
// process panics or hangs, or the host ends, it returns an error.
func (h *OpenedSystem) recorded(ctx context.Context, s rounds.Schedule) (*recording.Execution, error) {
	in, err := h.replay(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, v := range in.Violations {
		if round, how := search.Ends(v); round > 0 {
			return nil, fmt.Errorf("under the schedule %q %s in round %d: what a fact needs cannot be said", s, how, round)
		}
	}
	return search.UpTo(in.Execution, h.limits.EOT), nil
}
