package search

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// drawer is a strategy that draws every schedule on its own.
type drawer struct {
	name      string
	draw      func(t *Target, o Options) func(*rand.Rand) rounds.Schedule
	guarantee func(t *Target, o Options) string
}

func (d *drawer) Name() string { return d.name }

// Search executes schedules until one violates a property. What execution i does
// follows from the seed and i alone, and the first that violates a property is
// reported, so that the number of workers makes no difference.
func (d *drawer) Search(ctx context.Context, target Target, o Options) (*result.Answer, error) {
	t, err := target.normal()
	if err != nil {
		return nil, err
	}
	o = o.normal()
	first, err := newExecutor(t)
	if err != nil {
		return nil, err
	}
	first.judgeOnly()
	run := &drawing{target: t, options: o, draw: d.draw(t, o)}
	run.best.Store(int64(o.Executions))
	executors := []*executor{first}
	for len(executors) < min(o.Workers, o.Executions) {
		executors = append(executors, first.clone(t))
	}
	var workers sync.WaitGroup
	for _, x := range executors {
		workers.Go(func() { run.work(ctx, x) })
	}
	workers.Wait()
	best := int(run.best.Load())
	switch {
	case run.err != nil:
		if o.Whole {
			return nil, run.err
		}
		return nil, smallerPanic(ctx, t, run.err)
	case best < o.Executions:
		a := t.answer(d.name, o.Seed, best+1)
		a.Search.Guarantee = d.guarantee(t, o)
		return a, settle(ctx, a, t, o, run.found)
	}
	a := t.answer(d.name, o.Seed, int(run.done.Load()))
	a.Search.Guarantee = d.guarantee(t, o)
	stop(a, result.LimitExecutions, "none of %d executions violates a property", a.Search.Executions)
	if ctx.Err() != nil {
		kind, why := ended(ctx)
		stop(a, kind, "%s, and then %s", a.Limit.Reason, why)
	}
	return a, nil
}

// drawing is one search of a drawer.
type drawing struct {
	target  *Target
	options Options
	draw    func(*rand.Rand) rounds.Schedule

	next atomic.Int64
	done atomic.Int64
	best atomic.Int64 // the first execution that ended the search

	mutex sync.Mutex
	found rounds.Schedule // of best
	err   error           // of best
}

func (d *drawing) work(ctx context.Context, x *executor) {
	for ctx.Err() == nil {
		i := d.next.Add(1) - 1
		if i >= d.best.Load() {
			return
		}
		random := rand.New(rand.NewPCG(d.options.Seed, uint64(i)))
		s := d.draw(random)
		s.Settings = rounds.Settings{Seed: rounds.Set(uint64(random.Uint32()))}.With(d.target.Settings)
		_, violations, err := x.execute(ctx, s)
		if ctx.Err() != nil {
			return
		}
		if n := d.done.Add(1); n%100 == 0 {
			d.report(int(n))
		}
		if err != nil || len(violations) > 0 {
			d.end(i, s, err)
		}
	}
}

func (d *drawing) report(n int) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.options.Progress(Progress{Executions: n, Text: "drawing schedules"})
}

// end says that an execution ends the search, unless an earlier one does.
func (d *drawing) end(i int64, s rounds.Schedule, err error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if i < d.best.Load() {
		d.best.Store(i)
		d.found, d.err = s, err
	}
}
