package ldfi

import (
	"context"
	"slices"
	"time"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance/explain"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// executor executes schedules and judges them, without any solver.
type executor struct {
	machine    *lockstep.Machine
	promise    *promise
	executions int
	choices    map[string][][]specs.Value // the expected facts, by the choices of a schedule
	spent      time.Duration
	valueless  []*syntax.Rule // rules with arithmetic that had no value in some execution
}

// newExecutor compiles the part of a program that its promise depends on, and executes the
// run without faults, to which the promise may refer. It returns the violations of that
// run.
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

// broken executes a schedule and returns its violations.
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

// confirm executes a set of units that breaks the promise according to an evaluation. The
// error is an internalError if it does not, or if the execution differs from the evaluation
// of this schedule. It executes the set even after the end of the context: an execution is
// short.
func (q *question) confirm(ctx context.Context, units []int) (result.Counterexample, error) {
	q.progress("executing")
	ctx = context.WithoutCancel(ctx)
	s := scheduleOf(schedules.New(q.bounds), units)
	broken, err := q.executor.broken(ctx, s)
	if err != nil {
		return result.Counterexample{}, err
	}
	c := result.Counterexample{Schedule: s, Size: s.Size(), Confirmed: true, Irreducible: true, Violations: q.stated(broken)}
	if q.weighs() {
		c.Cost = q.costOf(schedules.New(q.bounds), units)
	}
	if q.brief && len(broken) > 0 {
		return c, nil
	}
	around, err := q.around(ctx, units, mostTableWork)
	if err != nil {
		return c, err
	}
	if expected := around.violations(units); !slices.EqualFunc(expected, broken, sameViolation) {
		return c, q.disagree(s, describe(expected, q.bounds), broken)
	}
	if len(broken) == 0 {
		return c, q.disagree(s, "something breaks the promise", broken)
	}
	w, err := around.graph.Under(s)
	if err != nil {
		return c, err
	}
	if q.lists {
		c.Cuts = q.cuts(around.graph, w, broken[0])
	}
	if q.lists && q.options.Bare {
		return c, nil
	}
	if err := q.record(ctx, &c); err != nil {
		return c, err
	}
	if q.explainer == nil {
		q.explainer = explain.New(w)
	} else {
		q.explainer = q.explainer.Under(w)
	}
	c.Because = reason(q.explainer, c.Execution, broken)
	return c, nil
}

// disagree is that an evaluation says another thing of a schedule than its execution.
func (q *question) disagree(s rounds.Schedule, evaluated string, executed []result.Violation) error {
	return &internalError{Schedule: s, Circuit: evaluated, Executor: describe(executed, q.bounds)}
}

func sameViolation(a, b result.Violation) bool {
	return a.Missing == b.Missing && a.Fact.Compare(b.Fact) == 0
}

// record adds the recording to a counterexample.
func (q *question) record(ctx context.Context, c *result.Counterexample) (err error) {
	if c.Execution, err = q.executor.record(ctx, c.Schedule); err == nil {
		c.Senders = q.senders(c.Execution)
	}
	return err
}
