package ldfi

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/provenance/explain"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Trials execute one schedule of a model after the other: the program is compiled once, and
// evaluated once over all schedules. Several goroutines can use them at once.
type Trials struct {
	model *Model

	executing sync.Mutex
	executor  *executor         // nil: nothing is promised
	machine   *lockstep.Machine // of the whole program; nil if only the part that the promise depends on can be executed

	preparing sync.Mutex
	refused   map[string]error // why there is no circuit, by bounds

	evaluated sync.Mutex
	lineages  []*lineage // the evaluated ones, the narrowest first
	question  *question  // for reasons; nil: nothing is promised
}

// lineage is a program evaluated over schedules, with the ways to break its promise.
type lineage struct {
	graph *provenance.Graph
	goals []goal
}

// Trials returns the trials of the model, with the program compiled. Its errors are
// those of Inject.
func (m *Model) Trials(ctx context.Context) (*Trials, error) {
	if err := m.onlyRun(); err != nil {
		return nil, err
	}
	t := &Trials{model: m, refused: map[string]error{}}
	var none *NoPromiseError
	var err error
	if t.executor, _, err = newExecutor(ctx, m); err != nil && !errors.As(err, &none) {
		return nil, err
	}
	if t.executor != nil {
		t.question = t.executor.about(m)
	}
	t.machine, err = lockstep.Compile(m.program, m.bounds, lockstep.Options{MaxFacts: m.options.MaxFacts})
	if err != nil && t.executor == nil {
		return nil, err
	}
	return t, nil
}

// Prepare evaluates the program over a set of schedules that contains s, so that
// Predict knows s and all schedules with no other kinds of faults. An error, as at a
// limit, means that Predict will not know s; Execute works all the same.
//
// Concurrent calls wait for each other, and each set of schedules is evaluated once.
func (t *Trials) Prepare(ctx context.Context, s rounds.Schedule) error {
	t.preparing.Lock()
	defer t.preparing.Unlock()
	if ctx.Err() != nil || t.world(s) != nil {
		return ctx.Err()
	}
	if err := provenance.Numbers(s); err != nil {
		return err
	}
	b := provenance.Covering(t.model.program, t.model.bounds, s)
	key := fmt.Sprint(b)
	for _, known := range []string{key, fmt.Sprint(provenance.Covering(t.model.program, t.model.bounds, rounds.Schedule{}))} { // wider bounds take more
		if err := t.refused[known]; err != nil {
			return err
		}
	}
	limited, cancel := context.WithTimeout(ctx, preparationTime)
	defer cancel()
	l, err := t.evaluate(limited, b)
	if limited.Err() != nil {
		err = fmt.Errorf("its evaluation takes more than %v", preparationTime)
	}
	if err != nil && ctx.Err() == nil {
		t.refused[key] = err
	}
	if err != nil {
		return err
	}
	t.evaluated.Lock()
	defer t.evaluated.Unlock()
	t.lineages = append(t.lineages, l)
	return nil
}

// How much work an evaluation may be, and how long it may take. No verdict depends on it:
// without a circuit everything is executed.
const (
	preparation     = 20_000_000
	preparationTime = 3 * time.Second
)

// evaluate evaluates the program within bounds.
func (t *Trials) evaluate(ctx context.Context, b rounds.Bounds) (*lineage, error) {
	o := t.model.limits()
	o.Messages, o.MaxSteps = true, preparation
	g, err := provenance.Evaluate(ctx, t.model.program, b, o)
	if err != nil {
		return nil, err
	}
	l := &lineage{graph: g}
	if t.executor != nil {
		l.goals = t.executor.promise.goals(g)
	}
	return l, g.Circuit.Err()
}

// trial is one schedule, evaluated by the circuit.
type trial struct {
	*lineage
	world *provenance.World
}

// world returns a schedule as the circuit has it, nil if no circuit was prepared for it.
func (t *Trials) world(s rounds.Schedule) *trial {
	t.evaluated.Lock()
	defer t.evaluated.Unlock()
	for _, l := range t.lineages {
		if w, err := l.graph.Under(s); err == nil {
			return &trial{l, w}
		}
	}
	return nil
}

// Predict returns what Execute would return for the schedule s, computed from the
// circuit without executing anything; nil if Prepare has not evaluated a schedule like
// s.
func (t *Trials) Predict(s rounds.Schedule) *result.Injection {
	if t.check(s) != nil {
		return nil
	}
	tried := t.world(s)
	if tried == nil {
		return nil
	}
	in := t.injection(s)
	t.evaluated.Lock()
	defer t.evaluated.Unlock()
	var broken []result.Violation
	for _, g := range tried.goals {
		if tried.world.True(g.broken) {
			broken = append(broken, g.violation)
		}
	}
	t.judged(in, broken)
	in.Execution = tried.world.Execution()
	in.Execution.Bounds = t.model.bounds
	if len(broken) > 0 {
		in.Because = t.reason(tried.world, in.Execution, broken)
	}
	in.Senders = t.model.senders(in.Execution)
	return in
}

// reason returns the reason of a search that finds the schedule, nothing if it is much
// work; for a schedule outside the bounds, which no search finds, the reason in the given
// world.
func (t *Trials) reason(outside *provenance.World, e *recording.Execution, broken []result.Violation) []string {
	w, err := t.question.explained(context.Background(), outside.Schedule, preparation)
	switch {
	case err != nil:
		return nil
	case w == nil:
		w = outside
	}
	return reason(explain.New(w), e, broken)
}

// Possible returns the facts that can hold under the schedules of the first evaluation
// by Prepare, and nothing before it.
func (t *Trials) Possible() []recording.Fact {
	t.evaluated.Lock()
	defer t.evaluated.Unlock()
	var facts []recording.Fact
	if len(t.lineages) == 0 {
		return nil
	}
	g := t.lineages[0].graph
	for _, r := range g.Program.Relations() {
		for round := 1; round <= g.Bounds.EOT; round++ {
			for _, f := range g.Facts(r.Name, round) {
				facts = append(facts, f.Ground())
			}
		}
	}
	return facts
}

// Execute executes the schedule s and judges the execution, as Inject does, but leaves
// Because empty.
func (t *Trials) Execute(ctx context.Context, s rounds.Schedule) (*result.Injection, error) {
	if err := t.check(s); err != nil {
		return nil, err
	}
	in := t.injection(s)
	t.executing.Lock()
	defer t.executing.Unlock()
	if t.executor != nil {
		broken, err := t.executor.broken(ctx, s)
		if err != nil {
			return nil, err
		}
		t.judged(in, broken)
	}
	record := t.executor.record
	if t.machine != nil {
		record = t.machine.Execute
	}
	var err error
	if in.Execution, err = record(ctx, in.Schedule); err != nil {
		return nil, err
	}
	in.Senders = t.model.senders(in.Execution)
	return in, nil
}

// check reports a schedule that is none of the program, whatever its budgets.
func (t *Trials) check(s rounds.Schedule) error {
	if err := s.Check(t.model.bounds); err != nil {
		return err
	}
	return schedules.Assumed(s, t.model.bounds)
}

func (t *Trials) injection(s rounds.Schedule) *result.Injection {
	s = s.Normal()
	return &result.Injection{Schedule: s, Bounds: t.model.bounds, Within: schedules.Within(s, t.model.bounds) == nil}
}

// judged adds the violations, if there is a promise.
func (t *Trials) judged(in *result.Injection, broken []result.Violation) {
	if t.executor == nil {
		return
	}
	in.Verdict, in.Violations = result.Holds, t.model.stated(slices.Clone(broken))
	if len(broken) > 0 {
		in.Verdict = result.Violated
	}
}
