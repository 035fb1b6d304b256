package search

import (
	"context"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
)

// executor executes schedules and checks the properties. It is for one
// goroutine.
type executor struct {
	elsewhere func(context.Context, rounds.Schedule) (*recording.Execution, []result.Violation, error)
	runner    *system.Judge
	checkers  []*property.Checker
}

func newExecutor(t *Target) (*executor, error) {
	if t.Execute != nil {
		return &executor{elsewhere: t.Execute}, nil
	}
	x := &executor{}
	for _, p := range t.Properties {
		c, err := property.Compile(p)
		if err != nil {
			return nil, err
		}
		x.checkers = append(x.checkers, c)
	}
	x.runner = t.System.NewJudge(x.checkers...)
	x.runner.Options = system.RunOptions{Rounds: t.Bounds.EOT, Record: true}
	return x, nil
}

// judgeOnly makes the executor record messages only when something is violated,
// or a property looks at them. That is up to twice as fast.
func (x *executor) judgeOnly() {
	if x.elsewhere == nil {
		x.runner.Options.Record = false
	}
}

// clone returns an executor for another goroutine.
func (x *executor) clone(t *Target) *executor {
	if x.elsewhere != nil {
		return x
	}
	other := &executor{}
	for _, c := range x.checkers {
		other.checkers = append(other.checkers, c.Clone())
	}
	other.runner = t.System.NewJudge(other.checkers...)
	other.runner.Options = x.runner.Options
	return other
}

// execute runs the system under a schedule and checks the properties.
func (x *executor) execute(ctx context.Context, s rounds.Schedule) (*recording.Execution, []result.Violation, error) {
	if x.elsewhere != nil {
		return x.elsewhere(ctx, s)
	}
	e, v, err := x.runner.Judge(ctx, s)
	if err != nil {
		return nil, nil, &ExecutionError{s, err}
	}
	return e, v, nil
}

// check returns what is violated.
func (x *executor) check(e *recording.Execution) ([]result.Violation, error) {
	var violations []result.Violation
	for _, c := range x.checkers {
		v, err := c.Check(e)
		if err != nil {
			return nil, err
		}
		violations = append(violations, v...)
	}
	return violations, nil
}
