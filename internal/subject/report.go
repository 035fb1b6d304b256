package subject

import (
	"context"
	"errors"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/difference"
	"github.com/lineage-driven/ldfi/internal/grace"
	"github.com/lineage-driven/ldfi/internal/refusal"
	"github.com/lineage-driven/ldfi/internal/report"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// Report fills a page with all that there is to show about an answer of this subject.
func (o *Opened) Report(ctx context.Context, p *report.Page, a *result.Answer, words report.Words) error {
	_, err := grace.Call(ctx, grace.Question, func() (struct{}, error) { return struct{}{}, o.fill(ctx, p, a, words) })
	return err
}

func (o *Opened) fill(ctx context.Context, p *report.Page, a *result.Answer, words report.Words) error {
	in, err := o.replay(ctx, o.Spare(rounds.Schedule{}))
	if err != nil {
		return err
	}
	p.Plain = p.AddExecution(in.Execution, in.Violations)
	if a, err = o.whole(ctx, a); err != nil {
		return err
	}
	if err := p.AddAnswer(a, words); err != nil {
		return err
	}
	if protocol, ok := o.asked.(*protocol); ok {
		if err := protocol.ship(ctx, p, words); err != nil {
			return err
		}
		return protocol.explain(ctx, p, a)
	}
	return nil
}

// whole returns an answer of a protocol with everything that happens in its first
// counterexample, and not only what the promise depends on.
func (o *Opened) whole(ctx context.Context, a *result.Answer) (*result.Answer, error) {
	first := a.First()
	if first == nil || o.Model() == nil {
		return a, nil
	}
	in, err := o.replay(ctx, first.Schedule)
	if err != nil {
		return nil, err
	}
	changed := *a
	changed.Counterexamples = append(result.List[result.Counterexample](nil), a.Counterexamples...)
	changed.First().Execution = in.Execution
	return &changed, nil
}

// explain adds what is known from the rules.
func (p *protocol) explain(ctx context.Context, to *report.Page, a *result.Answer) error {
	part, err := ldfi.Promised(p.program)
	if err != nil {
		return nil // nothing is promised
	}
	var names []string
	for _, r := range part.Relations() {
		names = append(names, r.Name)
	}
	to.Depends(names, []string{"pre", "post", "violation", "good"})
	first := a.First()
	if first == nil {
		return nil
	}
	if err := leftOut(to, p.story(ctx, to, first)); err != nil {
		return err
	}
	return leftOut(to, p.lineages(ctx, to, first))
}

// leftOut notes on a page that a part of it is too large, and returns any other error.
func leftOut(to *report.Page, err error) error {
	if limit := (*refusal.LimitError)(nil); errors.As(err, &limit) {
		to.Warnings = append(to.Warnings, fmt.Sprintf("a reason is left out: %v", limit))
		return nil
	}
	return err
}

// story says in words how a counterexample differs from the run without faults.
func (p *protocol) story(ctx context.Context, to *report.Page, c *result.Counterexample) error {
	if len(c.Schedule.Faults) == 0 {
		return nil
	}
	d, err := p.model.Diff(ctx, rounds.Schedule{}, c.Schedule)
	if err != nil {
		return err
	}
	words := difference.Of(d, p.limits)
	to.Story = &report.Story{First: words.First, So: words.So, Without: words.Without}
	return nil
}
