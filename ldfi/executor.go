package ldfi

import (
	"context"
	"slices"
	"time"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// executor executes schedules and judges them, without any solver.
type executor struct {
	machine    *lockstep.Machine
	promise    *promise
	executions int
	choices    map[string][][]specs.Value // what is expected where a schedule chooses so
	spent      time.Duration
	valueless  []*syntax.Rule // rules with arithmetic that had no value in some execution
}

// newExecutor compiles the part of a program that its promise looks at, and
// executes the run without faults, which the promise may refer to. It returns
// what is broken in that run.
func newExecutor(ctx context.Context, m *Model) (*executor, []result.Violation, error) {
	promised, err := m.promised()
	if err != nil {
		return nil, nil, err
	}
	return newExecutorOf(ctx, m, promised)
}

// newExecutorOf is newExecutor of another promise than that of the program.
func newExecutorOf(ctx context.Context, m *Model, w *promise) (*executor, []result.Violation, error) {
	machine, err := lockstep.Compile(m.program, m.bounds, lockstep.Options{Only: w.relations(), MaxFacts: m.options.MaxFacts})
	if err != nil {
		return nil, nil, err
	}
	x := &executor{machine: machine, promise: w}
	run, err := x.run(ctx, rounds.Schedule{})
	if err != nil {
		return nil, nil, err
	}
	w.expect(run)
	return x, w.judge(run, w.expected), nil
}

// broken executes a schedule and returns what it breaks.
func (x *executor) broken(ctx context.Context, s rounds.Schedule) ([]result.Violation, error) {
	expected, err := x.expected(ctx, s)
	if err != nil {
		return nil, err
	}
	run, err := x.run(ctx, s)
	if err != nil {
		return nil, err
	}
	return x.promise.judge(run, expected), nil
}

// run executes a schedule. The run is valid until the next one.
func (x *executor) run(ctx context.Context, s rounds.Schedule) (*lockstep.Run, error) {
	defer x.timed(time.Now())
	run, err := x.machine.Run(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, r := range run.NoValue() {
		if !slices.Contains(x.valueless, r) {
			x.valueless = append(x.valueless, r)
		}
	}
	return run, nil
}

// record executes a schedule and keeps everything.
func (x *executor) record(ctx context.Context, s rounds.Schedule) (*recording.Execution, error) {
	defer x.timed(time.Now())
	return x.machine.Execute(ctx, s)
}

func (x *executor) timed(since time.Time) {
	x.executions++
	x.spent += time.Since(since)
}
