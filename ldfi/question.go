package ldfi

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
)

// question is the question whether a model keeps its promise, and what is known
// about the answer so far.
type question struct {
	*Model
	also  []string // relations that are evaluated besides those of the promise
	brief bool     // counterexamples need no execution and no reason

	promise   *promise
	executor  *executor
	faultless []result.Violation // what is broken without faults

	growth []result.Growth // of relations, the largest first
	facts  int             // possible ones
	graph  *provenance.Graph
	goals  []goal
	target []solver.Lit // what is searched for: some goal is broken, and any assumptions behind it
	batch  *batch       // of target
	units  kinds        // faults, and choices

	unassumed *batch // of the promise alone, where there are assumptions

	calls                 int // of the solver
	evaluating, searching time.Duration
	found                 int
}

// newQuestion prepares the question and executes the run without faults.
func newQuestion(ctx context.Context, m *Model) (*question, error) {
	x, faultless, err := newExecutor(ctx, m)
	if err != nil {
		return nil, err
	}
	return &question{Model: m, promise: x.promise, executor: x, faultless: faultless}, nil
}

// evaluate finds the conditions of all facts that the promise depends on, and
// those under which it is broken.
func (q *question) evaluate(ctx context.Context) error {
	start := time.Now()
	defer func() { q.evaluating += time.Since(start) }()
	limits := q.limits(append(q.promise.relations(), q.also...)...)
	limits.Progress = func(round int) { q.progress("evaluating, round %d of %d", round, q.bounds.EOT) }
	graph, err := provenance.Evaluate(ctx, q.program, q.bounds, limits)
	if graph != nil {
		q.facts, q.growth = graph.TotalFacts(), growthOf(graph)
	}
	if err != nil {
		return err
	}
	q.graph, q.units = graph, kindsOf(graph.Universe)
	q.goals = q.promise.goals(graph)
	if err := q.aim(); err != nil {
		return err
	}
	return q.agree(nil, q.faultless)
}

// aim makes the question one for schedules that break the promise and meet
// some assumptions besides.
func (q *question) aim(assumptions ...solver.Lit) error {
	c := q.graph.Circuit
	q.target = append([]solver.Lit{c.Ors(brokenOf(q.goals)...)}, assumptions...)
	q.batch = newBatch(q, q.target)
	return c.Err()
}

// progress tells what is being done, if somebody wants to know.
func (q *question) progress(format string, args ...any) {
	if q.options.Progress != nil {
		q.options.Progress(fmt.Sprintf(format, args...))
	}
}

// searchProgress tells what is being done about fault sets.
func (q *question) searchProgress(doing string) {
	if q.found > 0 {
		q.progress("%s, %d rounds, %d found", doing, q.bounds.EOT, q.found)
	} else {
		q.progress("%s, %d rounds", doing, q.bounds.EOT)
	}
}

// scheduleOf returns the schedule of some fault units.
func (q *question) scheduleOf(units []int) rounds.Schedule {
	return q.graph.Universe.Schedule(func(unit int) bool { return slices.Contains(units, unit) })
}

// confirm executes a set of fault units that the circuit says breaks the
// promise. It is an internalError if it does not, or does otherwise than the
// circuit says. What has been found is executed even if the context is over: an
// execution is short.
func (q *question) confirm(ctx context.Context, units []int) (result.Counterexample, error) {
	q.searchProgress("executing")
	ctx = context.WithoutCancel(ctx)
	s := q.scheduleOf(units)
	broken, err := q.executor.broken(ctx, s)
	if err != nil {
		return result.Counterexample{}, err
	}
	if err := q.agree(units, broken); err != nil {
		return result.Counterexample{}, err
	}
	c := result.Counterexample{Schedule: s, Size: s.Size(), Confirmed: true, Violations: q.stated(broken)}
	if q.brief {
		return c, nil
	}
	if err := q.record(ctx, &c); err != nil || len(broken) == 0 {
		return c, err
	}
	w, err := q.graph.Under(s)
	if err != nil {
		return c, err
	}
	c.Because = reason(w, broken[0])
	return c, nil
}

// record adds to a counterexample what happens.
func (q *question) record(ctx context.Context, c *result.Counterexample) (err error) {
	if c.Execution, err = q.executor.record(ctx, c.Schedule); err == nil {
		c.Senders = q.senders(c.Execution)
	}
	return err
}
