package system

import (
	"context"
	"sync"

	"github.com/lineage-driven/ldfi/rounds"
)

// warmed are the systems of machines that were executed in this program.
var warmed sync.Map

// cold tells whether the execution that was just begun is the first of the system in
// this program, and could show that: libraries make some of what they need when they
// need it first. It matters where executions are repeated exactly on machines.
func (r *Runner) cold() bool {
	for _, p := range r.processes {
		if p.machine.Single && p.machine.Inexact == "" {
			_, known := warmed.LoadOrStore(r.system.Name, true)
			return !known
		}
	}
	return false
}

// warm executes the schedule once for nothing, and begins again.
func (r *Runner) warm(ctx context.Context, schedule rounds.Schedule) error {
	o := r.Options
	r.warming = true
	defer func() { r.Options, r.warming = o, false }()
	r.options.Transition, r.options.Record, r.observed = nil, false, false
	for r.round < r.rounds() && ctx.Err() == nil && r.step() == nil {
	}
	if err := r.close(); err != nil {
		return err
	}
	r.warming = false
	return r.reset(schedule)
}
