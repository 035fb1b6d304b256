package system

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// warmed are the systems of machines that were executed in this program: why executions
// of one schedule differ, by the name of the system; "" if they were equal.
var warmed sync.Map

// repeats tells whether the system has machines on which executions are repeated exactly.
func (r *Runner) repeats() bool {
	for _, p := range r.processes {
		if p.machine.Single && p.machine.Inexact == "" {
			return true
		}
	}
	return false
}

// rest executes the rounds that are left. The first execution of a system in a program is
// executed twice, and the first time does not count: libraries make some of what they
// need when they need it first. It matters where executions are repeated exactly on
// machines. If the two differ, a third tells whether that was all: if not, executions are
// not exact from then on, and say where they differed.
func (r *Runner) rest(ctx context.Context, schedule rounds.Schedule) error {
	if !r.repeats() {
		return r.toEnd(ctx)
	}
	why, known := warmed.LoadOrStore(r.system.Name, "")
	if known {
		r.inexact = cmp.Or(r.inexact, why.(string))
		return r.toEnd(ctx)
	}
	before, err := r.warm(ctx, schedule)
	if err != nil {
		return err
	}
	if r.options.Transition != nil { // which is called once
		return r.watchedFirst(ctx, schedule, before)
	}
	r.recordAll()
	if err := r.toEnd(ctx); err != nil {
		return err
	}
	first := r.Execution()
	if first.Inexact != "" || execution.FirstDivergence(before, first) == nil {
		return nil
	}
	if err := r.anew(schedule); err != nil {
		return err
	}
	r.recordAll()
	if err := r.toEnd(ctx); err != nil {
		return err
	}
	r.compare(first, r.Execution())
	return nil
}

// watchedFirst is the first execution where somebody watches its transitions.
func (r *Runner) watchedFirst(ctx context.Context, schedule rounds.Schedule, before *recording.Execution) error {
	second, err := r.warm(ctx, schedule)
	if err != nil {
		return err
	}
	if execution.FirstDivergence(before, second) != nil {
		third, err := r.warm(ctx, schedule)
		if err != nil {
			return err
		}
		r.compare(second, third)
	}
	return r.toEnd(ctx)
}

// compare notes how two executions of one schedule differ.
func (r *Runner) compare(first, second *recording.Execution) {
	if first.Inexact != "" || second.Inexact != "" {
		return
	}
	if d := execution.FirstDivergence(first, second); d != nil {
		why := fmt.Sprintf("two executions of the schedule %q in one program differ %s", first.Schedule, d.Phrase())
		warmed.Store(r.system.Name, why)
		r.inexact = why
	}
}

// warm executes the schedule once for nothing but its recording, and begins again.
func (r *Runner) warm(ctx context.Context, schedule rounds.Schedule) (*recording.Execution, error) {
	r.warming = true
	defer func() { r.warming = false }()
	r.options.Transition = nil
	r.recordAll()
	for r.round < r.rounds() && ctx.Err() == nil && r.step() == nil {
	}
	e := r.Execution()
	r.warming = false
	return e, r.anew(schedule)
}

// recordAll records the execution that has begun, whatever was asked for.
func (r *Runner) recordAll() {
	r.options.Record, r.options.FactsOnly, r.observed, r.kept = true, false, true, true
}

// anew begins again.
func (r *Runner) anew(schedule rounds.Schedule) error {
	if err := r.close(); err != nil {
		return err
	}
	r.options = r.Options
	return r.reset(schedule)
}
