package search

import (
	"context"
	"errors"
	"slices"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Judge executes a system of this program under one schedule after the other, and returns
// the violations of each execution. It is for one goroutine.
type Judge struct {
	*system.Runner
	checkers []*property.Checker
	facts    bool // no property looks at messages

	unjudged func(*limits.UnjudgedError) // records executions that are not judged; nil: they are errors
	mark     func(*recording.Execution)  // called with each execution; nil: nothing is called
}

// Judge returns an executor of a system of this program, as Open does.
func (t *Target) Judge(eot int, record bool) *Judge {
	j := &Judge{Runner: t.System.NewRunner(), facts: true}
	for _, c := range t.checkers {
		j.checkers = append(j.checkers, c.Clone())
		j.facts = j.facts && c.FactsOnly()
	}
	// Executed again for its messages, something else may happen, or a program takes its time again.
	j.facts = j.facts && t.Inexact == "" && !slices.Contains(t.Offers, OffersSignals)
	j.Options = system.RunOptions{Rounds: eot, Record: record}
	return j
}

// Execute executes the system under a schedule, with the Options of the Runner, and returns
// its violations, a panic of a process included. If no property reads messages, and the
// options do not ask for a recording, then the recording has messages only if a property is
// violated: the execution is repeated for them.
func (j *Judge) Execute(ctx context.Context, schedule rounds.Schedule) (*recording.Execution, []result.Violation, error) {
	o := j.Options
	defer func() { j.Options = o }()
	j.Options.FactsOnly = j.facts && !o.Record
	j.Options.Record = true
	e, violations, err := j.execute(ctx, schedule)
	if len(violations) == 0 || err != nil || !j.Options.FactsOnly {
		return e, violations, err
	}
	first, seen := *e, violations
	first.Messages = nil                // the first execution of a system in a program has them
	first.Facts = slices.Clone(e.Facts) // the memory is used again
	j.Options.FactsOnly, j.Options.Transition = false, nil
	e, violations, err = j.execute(ctx, schedule)
	if err == nil && len(violations) == 0 {
		if first.Inexact != "" || e.Inexact != "" {
			return &first, seen, nil
		}
		err = differ(&first, e)
	}
	return e, violations, err
}

// differ returns the difference between a first execution that violates a property, of
// which only facts were recorded, and a second one that does not.
func differ(first, second *recording.Execution) error {
	facts := *second
	facts.Messages = nil
	if err := Same(first, &facts); err != nil {
		return err
	}
	return judgedDifferently(first.Schedule)
}

// Extents executes the system under a schedule once, without a recording, and calls goOn
// with the violations at each number of rounds, until goOn returns false.
func (j *Judge) Extents(ctx context.Context, schedule rounds.Schedule, extents []int, goOn func(n int, violations []result.Violation) bool) error {
	o := j.Options
	defer func() { j.Options = o }()
	j.Options = system.RunOptions{Rounds: slices.Max(extents), FactsOnly: j.facts, Record: true, Extents: extents}
	var failed error
	executed := 0
	j.Options.GoOn = func(n int) bool {
		var violations []result.Violation
		executed = n
		if violations, failed = j.judge(upTo(j.Execution(), n)); failed != nil {
			return false
		}
		return goOn(n, violations)
	}
	err := j.Run(ctx, schedule)
	Spend(ctx, executed)
	switch {
	case failed != nil:
		return failed
	case Panics(err):
		return &ExecutionError{Schedule: schedule, Err: errors.New(panicViolation(err).Text)}
	case err != nil:
		return &ExecutionError{Schedule: schedule, Err: err}
	}
	return nil
}

// Once executes the system under a schedule once, with what cannot be executed again, and
// returns its violations and what is probably not meant about it. An execution goes on to the next of
// the extents, numbers of rounds, while all that is violated is that something has not happened.
func (j *Judge) Once(ctx context.Context, schedule rounds.Schedule, extents []int) (violations []result.Violation, warnings []string, err error) {
	o := j.Options
	defer func() { j.Options = o }()
	var failed error
	j.Options = system.RunOptions{Rounds: slices.Max(extents), FactsOnly: true, Record: true, Extents: extents, GoOn: func(n int) bool {
		e := upTo(j.Execution(), n)
		violations, failed = j.judge(e)
		for i := range violations { // the memory of facts is used again
			violations[i].Fact.Args = slices.Clone(violations[i].Fact.Args)
		}
		warnings = e.Warnings
		return failed == nil && len(violations) > 0 && len(byEnd(violations)) == len(violations)
	}}
	switch err := j.Run(ctx, schedule); {
	case failed != nil:
		return nil, nil, failed
	case Panics(err):
		return []result.Violation{panicViolation(err)}, nil, nil
	case err != nil:
		return nil, nil, &ExecutionError{Schedule: schedule, Err: err}
	}
	return violations, warnings, nil
}

// upTo returns the recording of the first n rounds of a longer execution: requests and
// messages that wait longer wait until after the end.
func upTo(e *recording.Execution, n int) *recording.Execution {
	for i := range e.Messages {
		if m := &e.Messages[i]; m.Arrival == e.Bounds.EOT+1 {
			m.Arrival = n + 1
		}
	}
	e.Bounds.EOT = n
	return e
}

func (j *Judge) execute(ctx context.Context, schedule rounds.Schedule) (*recording.Execution, []result.Violation, error) {
	err := j.Run(ctx, schedule)
	Spend(ctx, j.Options.Rounds)
	switch {
	case Panics(err): // other properties do not speak of executions that came to no end
		return j.Execution(), []result.Violation{panicViolation(err)}, nil
	case err != nil:
		return nil, nil, &ExecutionError{Schedule: schedule, Err: err}
	}
	e := j.Execution()
	violations, err := j.judge(e)
	if err != nil && !errors.As(err, new(*limits.UnjudgedError)) {
		return nil, nil, err
	}
	return e, violations, err
}

// judge returns the violations of an execution. The error is a *[limits.UnjudgedError] if
// they are not known.
func (j *Judge) judge(e *recording.Execution) ([]result.Violation, error) {
	if j.mark != nil {
		j.mark(e)
	}
	violations, err := j.check(e)
	switch late := (*limits.UnjudgedError)(nil); {
	case errors.As(err, &late):
		return nil, late
	case err != nil:
		return nil, &ExecutionError{Schedule: e.Schedule, Err: err}
	}
	return violations, nil
}

// check returns the violations of an execution. If there are none, and a property was not
// judged, the error says so, unless the judge records it.
func (j *Judge) check(e *recording.Execution) ([]result.Violation, error) {
	var violations []result.Violation
	var late *limits.UnjudgedError
	for _, c := range j.checkers {
		v, err := c.Check(e)
		if err != nil && !errors.As(err, &late) {
			return nil, err
		}
		violations = append(violations, v...)
	}
	switch {
	case len(violations) > 0 || late == nil:
		return violations, nil
	case j.unjudged != nil:
		j.unjudged(late)
		return nil, nil
	default:
		return nil, late
	}
}

// Violates tells whether an execution violates a property.
func (j *Judge) Violates(e *recording.Execution) (bool, error) {
	v, err := j.check(e)
	return len(v) > 0, err
}

// Without executes a schedule, and returns the violations without the reports of some
// processes.
func (j *Judge) Without(ctx context.Context, schedule rounds.Schedule, processes []string) ([]result.Violation, error) {
	o := j.Options
	defer func() { j.Options = o }()
	j.Options.Record = true
	err := j.Run(ctx, schedule)
	Spend(ctx, j.Options.Rounds)
	if err != nil {
		return nil, err
	}
	e := *j.Execution()
	e.Facts = keep(e.Facts, func(f recording.Fact) bool { return !reports(f, processes) })
	return j.judge(&e)
}
