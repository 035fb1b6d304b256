package subject

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/report"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Report fills a page with all that there is to show about an answer of this subject.
func (o *Opened) Report(ctx context.Context, p *report.Page, a *result.Answer, words report.Words) error {
	_, err := limits.Await(ctx, limits.QuestionGrace, func() (struct{}, error) { return struct{}{}, o.fill(ctx, p, a, words) })
	return err
}

// fill fills a page. What is too large to be found again is left out, and the page says
// so: the answer is there.
func (o *Opened) fill(ctx context.Context, p *report.Page, a *result.Answer, words report.Words) error {
	in, err := o.replay(ctx, o.Spare(rounds.Schedule{}))
	if err == nil {
		p.Plain = p.AddExecution(in.Execution, in.Violations)
	} else if err := leftOut(ctx, p, "the execution without faults", err); err != nil {
		return err
	}
	all, err := o.whole(ctx, a)
	if err := leftOut(ctx, p, "what the promise does not depend on", err); err != nil {
		return err
	}
	if err := p.AddAnswer(all, words); err != nil {
		return err
	}
	if err := leftOut(ctx, p, "how it came about", o.story(ctx, p, a)); err != nil {
		return err
	}
	protocol := o.AsProtocol()
	if protocol == nil {
		return nil
	}
	protocol.asks(p, all, words)
	protocol.sources(p)
	if err := leftOut(ctx, p, "the circuit, by which other faults can be tried,", protocol.ship(ctx, p, words)); err != nil {
		return err
	}
	return protocol.explain(ctx, p, all)
}

// mostSource limits the bytes of a program on a page.
const mostSource = 100_000

// sources adds the files of the program.
func (p *OpenedProtocol) sources(to *report.Page) {
	size := 0
	for _, file := range p.program.Files {
		size += len(p.program.Text(file))
	}
	if size > mostSource {
		to.Warnings = append(to.Warnings, fmt.Sprintf("the program is left out: it has %d bytes, and a page has room for %d", size, mostSource))
		return
	}
	for _, file := range p.program.Files {
		to.AddSource(filepath.Base(file), p.program.Text(file))
	}
}

// asks gives a page of a protocol the commands that say more about each fault set and about
// any schedule. It gives none if the reader does not have the same files.
func (p *OpenedProtocol) asks(to *report.Page, a *result.Answer, words report.Words) {
	none := rounds.Schedule{}
	if words.Replay(none) != p.question.InjectCommand(none) {
		return
	}
	why, diff := p.question.asking("why", OfSearches()...), p.question.asking("diff")
	to.Why, to.Diff = text.Safe(why), text.Safe(diff)
	if a.Count == nil && a.First() != nil {
		to.More = text.Safe(p.question.asking("hypotheses"))
	}
	for i, c := range a.Counterexamples {
		if len(c.Violations) > 0 {
			fact := c.Violations[0].Fact
			to.Sets[i].Why = text.Safe(ended(why, fmt.Sprintf("%s@%d", recording.Display(fact, p.limits.Processes), fact.Round), c.Schedule))
		}
		if len(c.Schedule.Faults) > 0 {
			to.Sets[i].Diff = text.Safe(ended(diff, "", c.Schedule))
		}
	}
}

// whole returns an answer of a protocol whose first counterexample has all facts and
// messages of its execution, and not only those that the promise depends on.
func (o *Opened) whole(ctx context.Context, a *result.Answer) (*result.Answer, error) {
	first := a.First()
	if first == nil || o.AsProtocol() == nil {
		return a, nil
	}
	in, err := o.replay(ctx, first.Schedule)
	if err != nil {
		return a, err
	}
	changed := *a
	changed.Counterexamples = append(result.List[result.Counterexample](nil), a.Counterexamples...)
	changed.First().Execution = in.Execution
	return &changed, nil
}

// explain adds the explanations that follow from the rules.
func (p *OpenedProtocol) explain(ctx context.Context, to *report.Page, a *result.Answer) error {
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
	return leftOut(ctx, to, "the lineage", p.lineages(ctx, to, a.Counterexamples))
}

// leftOut notes on a page that a part of the page is missing, and why. If err says that a
// schedule cannot be executed, leftOut returns it.
func leftOut(ctx context.Context, to *report.Page, what string, err error) error {
	switch {
	case err == nil || errors.As(err, new(*MisfitError)):
		return err
	case ctx.Err() != nil:
		err = errors.New(result.Ended(ctx).Reason)
	}
	to.Warnings = append(to.Warnings, fmt.Sprintf("%s is left out: %v", what, err))
	return nil
}

// story describes how the first counterexample differs from the run without faults.
func (o *Opened) story(ctx context.Context, to *report.Page, a *result.Answer) error {
	first := a.First()
	if first == nil || len(first.Schedule.Faults) == 0 {
		return nil
	}
	d, err := o.Diff(ctx, o.Spare(rounds.Schedule{Settings: first.Schedule.Settings}), first.Schedule)
	if err != nil || d.Outcome == 0 {
		return err
	}
	words := causality.Describe(d, o.Bounds())
	to.Story = &report.Story{Without: words.Without}
	for _, part := range words.Parts {
		to.Story.Tales = append(to.Story.Tales, report.Tale(part))
	}
	return nil
}
