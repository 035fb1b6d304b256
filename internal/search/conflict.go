package search

import (
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// mostTried limits the executions by which a conflict is made smaller.
const mostTried = 20_000

// conflict is a set of rules of a guide that allows no schedule.
type conflict struct {
	*Session
	all   iter.Seq[rounds.Schedule]
	left  int           // executions
	shown guide.Outcome // of the first schedule, with the rules that are known to allow none
}

// Conflict says, behind ": ", which rules of the guide allow none of some schedules, each of
// which is needed for that as far as the executions suffice, and what one of them wants. It returns "" if that is not
// known.
func (s *Session) Conflict(ctx context.Context, all iter.Seq[rounds.Schedule]) string {
	c := &conflict{Session: s, all: all, left: mostTried}
	if some, err := c.some(ctx, s.Guide); some || err != nil {
		return ""
	}
	minimal := true
	rules, names, err := s.Guide.Core(s.guidance.fired, func(less *guide.Guide) (bool, error) {
		some, err := c.some(ctx, less)
		if errors.Is(err, errBudget) {
			some, err, minimal = true, nil, false
		}
		return some, err
	})
	if err != nil {
		return ""
	}
	said := ": " + c.text(rules, names)
	if !minimal {
		said += " (perhaps not all of them are needed)"
	}
	return said
}

// fired tells whether a rule decided anything in some execution.
func (g *guidance) fired(rule int) bool {
	for _, o := range g.numbered {
		if o.Fired[rule] > 0 {
			return true
		}
	}
	return false
}

// some tells whether a guide allows some schedule. If it allows none, what came of the first one is shown.
func (c *conflict) some(ctx context.Context, less *guide.Guide) (bool, error) {
	x, err := c.Open(c.Bounds.EOT, true)
	if err != nil {
		return false, err
	}
	steering, err := less.NewSteering(c.Bounds, false)
	if err != nil {
		return false, err
	}
	var outcome, first guide.Outcome
	g := &guided{Executor: x, guide: less, steering: steering, outcome: func(_ *recording.Execution, o came) { outcome = o.Outcome }}
	for schedule := range c.all {
		if c.left--; c.left < 0 {
			return false, errBudget
		}
		if _, _, err := g.Execute(ctx, c.With(schedule)); err != nil {
			return false, err
		}
		if len(outcome.Prevented) == 0 {
			return true, nil
		}
		if len(first.Prevented) == 0 {
			first = outcome
		}
	}
	c.shown = first
	return false, nil
}

// text says what one of the rules wants, behind their names.
func (c *conflict) text(rules []int, said string) string {
	if len(rules) > 1 {
		said += " contradict each other"
	}
	at := c.Guide.Rules()[c.shown.Prevented[0]].Position
	for _, f := range slices.Backward(c.shown.Findings) {
		if f.Position == at {
			return said + ": " + f.Message
		}
	}
	if len(rules) == 1 {
		said += " wants a message to arrive that is lost, or late"
	}
	return said
}
