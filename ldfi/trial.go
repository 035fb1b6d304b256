package ldfi

import (
	"context"
	"time"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// trial is the question whether one program keeps its promise within certain
// bounds, and what is known about the answer so far.
type trial struct {
	program *dedalus.Program
	bounds  rounds.Bounds
	options Options
	also    []string // relations that are evaluated besides those of the promise
	brief   bool     // counterexamples need no execution and no reason

	promise   *promise
	executor  *executor
	faultless []Violation // what is broken without faults

	growth []result.Growth // of relations, the largest first
	facts  int             // possible ones
	graph  *provenance.Graph
	goals  []goal
	target []solver.Lit // what is searched for: some goal is broken, and any assumptions
	lanes  *lanes

	calls                 int // of the solver
	evaluating, searching time.Duration
	found                 int
}

// newTrial prepares the question and executes the run without faults.
func newTrial(ctx context.Context, p *dedalus.Program, b rounds.Bounds, o Options) (*trial, error) {
	w, err := promiseOf(p, o.Goals, b.EOT)
	if err != nil {
		return nil, err
	}
	t := &trial{program: p, bounds: b, options: o, promise: w}
	t.executor, t.faultless, err = newExecutor(ctx, p, b, w, o.MaxFacts)
	return t, err
}

// evaluate finds the conditions of all facts that the promise depends on, and
// those under which it is broken.
func (t *trial) evaluate(ctx context.Context) error {
	start := time.Now()
	defer func() { t.evaluating += time.Since(start) }()
	graph, err := provenance.Evaluate(ctx, t.program, t.bounds, provenance.Options{
		Only:     append(t.promise.relations(), t.also...),
		MaxFacts: t.options.MaxFacts,
		MaxGates: t.options.MaxGates,
		Progress: func(round int) { t.progress(Progress{Stage: Evaluating, Round: round}) },
	})
	if graph != nil {
		t.facts, t.growth = graph.TotalFacts(), growthOf(graph)
	}
	if err != nil {
		return err
	}
	t.graph = graph
	t.goals = t.promise.goals(graph)
	if err := t.aim(); err != nil {
		return err
	}
	return t.agree(nil, t.faultless)
}

// aim makes the trial search for schedules that break the promise and meet
// some assumptions besides.
func (t *trial) aim(assumptions ...solver.Lit) error {
	c := t.graph.Circuit
	t.target = append([]solver.Lit{anyOf(c, t.goals)}, assumptions...)
	t.lanes = newLanes(t)
	return c.Err()
}

func (t *trial) progress(p Progress) {
	p.Horizon, p.Found = t.bounds.EOT, t.found
	t.options.Progress(p)
}

// schedule returns the schedule of the fault units that are on.
func (t *trial) schedule(on func(unit int) bool) rounds.Schedule {
	return t.graph.Universe.Schedule(on)
}

// scheduleOf returns the schedule of some fault units.
func (t *trial) scheduleOf(units []int) rounds.Schedule {
	chosen := make(map[int]bool, len(units))
	for _, unit := range units {
		chosen[unit] = true
	}
	return t.schedule(func(unit int) bool { return chosen[unit] })
}

// confirm executes a set of fault units that the circuit says breaks the
// promise. It is an InternalError if it does not, or does otherwise than the
// circuit says. What has been found is executed even if the context is over: an
// execution is short.
func (t *trial) confirm(ctx context.Context, units []int) (Counterexample, error) {
	t.progress(Progress{Stage: Executing})
	ctx = context.WithoutCancel(ctx)
	s := t.scheduleOf(units)
	broken, err := t.executor.broken(ctx, s)
	if err != nil {
		return Counterexample{}, err
	}
	if err := t.agree(units, broken); err != nil {
		return Counterexample{}, err
	}
	c := Counterexample{Schedule: s, Size: len(units), Confirmed: true, Violations: broken}
	if t.brief {
		return c, nil
	}
	if c.Execution, err = t.executor.record(ctx, s); err != nil {
		return Counterexample{}, err
	}
	c.Reason, err = reason(t.graph, s, broken)
	return c, err
}
