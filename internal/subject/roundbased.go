package subject

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// RoundBased is whether executions in lock-step rounds stand for asynchronous ones.
type RoundBased struct {
	Conditions   result.List[result.Condition] `json:"conditions"`   // all of them, in the order of their groups
	Asynchronous *result.Reach                 `json:"asynchronous"` // what follows for a promise that holds
}

// WriteText writes the conditions by groups, and the conclusion.
func (r *RoundBased) WriteText(w io.Writer) error {
	var b bytes.Buffer
	for _, g := range vet.Groups {
		fmt.Fprintf(&b, "%s (%s)\n", g.Group, g.Source)
		for _, c := range r.Conditions {
			if c.Group == g.Group {
				text.Field(&b, "  ", 9, string(c.Met), conditionLines(&c)...)
			}
		}
	}
	fmt.Fprintln(&b, r.Asynchronous.Text)
	_, err := w.Write(b.Bytes())
	return err
}

// conditionLines returns the lines of a condition: its text, and why it is met or not.
func conditionLines(c *result.Condition) []string {
	name := c.Name
	if !c.Needed {
		name += " (not needed here)"
	}
	return []string{name, c.Where()}
}

func (p *OpenedProtocol) roundBased(ctx context.Context) (*RoundBased, error) {
	conditions, err := vet.Conditions(ctx, p.program, p.limits)
	if err != nil {
		return nil, err
	}
	return &RoundBased{conditions, vet.ReachOf(conditions)}, nil
}

func (h *OpenedSystem) roundBased(ctx context.Context) (*RoundBased, error) {
	seen, err := h.system().Observe(ctx, h.question.Executions, h.question.Seed)
	if err != nil {
		return nil, err
	}
	conditions := vet.OfSystem(seen, vet.PropertyNames(h.System.Properties), h.Bounds())
	return &RoundBased{conditions, vet.ReachOf(conditions)}, nil
}

// reach adds to an answer that holds its meaning for asynchronous executions, none of which
// was executed.
func (h *OpenedSystem) reach(a *result.Answer) {
	a.Asynchronous = nil
	if a.Verdict == result.Holds {
		a.Asynchronous = vet.ReachOfSystem(h.System.Properties, h.Bounds())
	}
}
