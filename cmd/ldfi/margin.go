package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/advise"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
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

// with returns the bounds beyond with a verdict.
func with(m *result.Margin, v result.Verdict) (bounds []string) {
	for _, q := range m.Questions {
		if q.Verdict == v && (v != result.Holds || q.Reason == "") {
			bounds = append(bounds, q.Bounds)
		}
	}
	return bounds
}

// marginSummary says behind the verdict with what it is another one.
func marginSummary(m *result.Margin) string {
	if m == nil {
		return ""
	}
	if broken := with(m, result.Violated); len(broken) > 0 {
		return "; violated with " + text.List(broken, "or")
	}
	return ""
}

// marginLines say what is known of each of the bounds beyond.
func marginLines(m *result.Margin) (lines []string) {
	if m.Note != "" {
		return []string{m.Note}
	}
	for _, q := range m.Questions {
		switch {
		case q.Verdict == result.Violated:
			lines = append(lines, fmt.Sprintf("violated with %s: %s", q.Bounds, scheduleText(q.Schedule)))
		case q.Verdict == result.Inconclusive:
			lines = append(lines, fmt.Sprintf("inconclusive with %s: %s", q.Bounds, q.Reason))
		case q.Reason != "":
			lines = append(lines, fmt.Sprintf("holds with %s, but %s", q.Bounds, q.Reason))
		}
	}
	if still := with(m, result.Holds); len(still) > 1 {
		lines = append(lines, "still holds with "+strings.Join(still, ", ")+" (each by itself)")
	} else if len(still) == 1 {
		lines = append(lines, "still holds with "+still[0])
	}
	return lines
}
