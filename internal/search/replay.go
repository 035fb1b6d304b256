package search

import (
	"context"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Replayed is the result of executing a given schedule.
type Replayed struct {
	*Aftermath
	Execution *recording.Execution
	Repeats   *result.Repeats // how many of several executions broke; nil: the schedule determines the execution
}

// Replay executes a schedule for eot rounds, and continues it if necessary. An execution
// with violations is made twice. If executions of the schedule may differ, Replay makes 20,
// and returns the first one that breaks.
func (t *Target) Replay(ctx context.Context, s rounds.Schedule, eot int) (*Replayed, error) {
	r, err := t.Once(ctx, s, eot)
	if err != nil {
		return nil, err
	}
	if err := t.Again(ctx, r); err != nil {
		return nil, err
	}
	return r, nil
}

// Once is Replay without the second execution of a violation, which is left to
// [Target.Again].
func (t *Target) Once(ctx context.Context, s rounds.Schedule, eot int) (*Replayed, error) {
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
	return &Replayed{Aftermath: after, Execution: e}, nil
}

// Again executes a violation a second time.
func (t *Target) Again(ctx context.Context, r *Replayed) error {
	if len(r.Left) == 0 || r.Repeats != nil {
		return nil
	}
	c := &result.Counterexample{Schedule: r.Execution.Schedule, Execution: r.Execution, Violations: r.Left, Continued: r.Continued}
	if err := t.Twice(ctx, c); err != nil {
		return err
	}
	r.Left, r.Execution, r.Continued, r.Repeats = c.Violations, c.Execution, c.Continued, c.Repeats
	return nil
}

// replayOften executes a schedule further times that was executed once.
func (t *Target) replayOften(ctx context.Context, e *recording.Execution, violations []result.Violation, why string) (*Replayed, error) {
	r := &repetition{target: t, schedule: e.Schedule, eot: e.Bounds.EOT, executions: 1}
	r.note(e, violations)
	var err error
	if r.as != nil && r.awaits(*r.as) {
		err = r.again(ctx, result.RepeatedExecutions)
	} else {
		err = r.run(ctx, result.RepeatedExecutions-1)
	}
	if err == nil && r.executions < result.RepeatedExecutions {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	out := &Replayed{Execution: e, Aftermath: &Aftermath{}, Repeats: r.count(why)}
	switch {
	case r.broken > 0:
		out.Execution, out.Left, out.Continued = r.first, leading(r.violations, r.looked), r.continued
	case r.continued != nil:
		out.Awaited = []result.Violation{*r.as}
		out.Late = &result.Late{Schedules: 1, Rounds: r.continued.Rounds, Slowest: e.Schedule}
	}
	return out, nil
}
