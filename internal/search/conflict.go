package search

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/text"
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
	shown guide.Outcome // of the first schedule, with the rules that were tried last
}

// Conflict says, behind ": ", which rules of the guide allow none of some schedules, each of
// which is needed for that as far as the executions suffice, and what one of them wants. It returns "" if that is not
// known.
func (s *Session) Conflict(ctx context.Context, all iter.Seq[rounds.Schedule]) string {
	c := &conflict{Session: s, all: all, left: mostTried}
	var rules []int
	for i := range s.Guide.Rules() {
		if s.Guide.Decides(i) && s.guidance.fired(i) {
			rules = append(rules, i)
		}
	}
	minimal := true
	if some, err := c.some(ctx, rules); some || err != nil {
		return ""
	}
	shown := c.shown
	for i := 0; i < len(rules); {
		less := schedules.LeaveOut(rules, i)
		some, err := c.some(ctx, less)
		switch {
		case errors.Is(err, errBudget):
			minimal = false
			i++
		case err != nil:
			return ""
		case some:
			i++
		default:
			rules, shown = less, c.shown
		}
	}
	c.shown = shown
	said := ": " + c.text(rules)
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

// some tells whether some schedule is allowed if only some rules decide.
func (c *conflict) some(ctx context.Context, rules []int) (bool, error) {
	var others []int
	for i := range c.Guide.Rules() {
		if c.Guide.Decides(i) && !slices.Contains(rules, i) {
			others = append(others, i)
		}
	}
	less := c.Guide.Without(others...)
	x, err := c.Open(c.Bounds.EOT, true)
	if err != nil {
		return false, err
	}
	steering, err := less.NewSteering(c.Bounds, false)
	if err != nil {
		return false, err
	}
	var outcome guide.Outcome
	g := &guided{Executor: x, guide: less, steering: steering, outcome: func(_ *recording.Execution, o came) { outcome = o.Outcome }}
	first := true
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
		if first {
			first, c.shown = false, outcome
		}
	}
	return false, nil
}

// text names rules, and says what one of them wants.
func (c *conflict) text(rules []int) string {
	var names []string
	for _, i := range rules {
		names = append(names, fmt.Sprintf("%s of %s", c.Guide.Rules()[i].Name, c.Guide.Rules()[i].Position))
	}
	said := text.List(names, "and")
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
