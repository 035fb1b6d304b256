package search

import (
	"context"

	"github.com/lineage-driven/ldfi/internal/calm"
	"github.com/lineage-driven/ldfi/internal/inexact"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Replayed is what became of a schedule that was given.
type Replayed struct {
	*Aftermath
	Execution *recording.Execution
	Repeats   *inexact.Count // how many of several executions broke; nil: what happens follows from the schedule
}

// Replay executes a schedule for so many rounds, and goes on with it where that has to
// be. What it violates is executed twice. If executions of the schedule may differ
// there are 20 of them, and the first that breaks stands for all.
func (t *Target) Replay(ctx context.Context, s rounds.Schedule, eot int) (*Replayed, error) {
	x, err := t.Open(eot, true)
	if err != nil {
		return nil, err
	}
	e, violations, err := x.Execute(ctx, s)
	if err != nil {
		return nil, err
	}
	if why := t.differs(e); why != "" {
		return t.replayOften(ctx, e, violations, why)
	}
	after, err := t.GoOn(ctx, e, violations)
	if err != nil {
		return nil, err
	}
	r := &Replayed{Aftermath: after, Execution: e}
	if len(after.Standing) > 0 {
		c := &result.Counterexample{Schedule: e.Schedule, Execution: e, Violations: after.Standing, Continued: after.Continued}
		if err := t.Twice(ctx, c); err != nil {
			return nil, err
		}
		r.Standing, r.Execution, r.Continued, r.Repeats = c.Violations, c.Execution, c.Continued, c.Repeats
	}
	return r, nil
}

// replayOften executes a schedule further times that was executed once.
func (t *Target) replayOften(ctx context.Context, e *recording.Execution, violations []result.Violation, why string) (*Replayed, error) {
	r := &repetition{target: t, schedule: e.Schedule, eot: e.Bounds.EOT, executions: 1}
	r.note(e, violations)
	var err error
	if r.as != nil && r.awaits(*r.as) {
		err = r.again(ctx, inexact.Executions)
	} else {
		err = r.run(ctx, inexact.Executions-1)
	}
	if err == nil && r.executions < inexact.Executions {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	out := &Replayed{Execution: e, Aftermath: &Aftermath{}, Repeats: r.count(why)}
	switch {
	case r.broken > 0:
		out.Execution, out.Standing, out.Continued = r.first, leading(r.violations, r.looked), r.continued
	case r.continued != nil:
		out.Awaited = []result.Violation{*r.as}
		out.Late = &calm.Late{Schedules: 1, Rounds: r.continued.Rounds, Slowest: e.Schedule}
	}
	return out, nil
}
