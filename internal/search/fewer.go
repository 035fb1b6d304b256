package search

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// After a violation is found the search continues with schedules that have fewer faults,
// and violate any property: with as many executions as it has made, and at most a quarter
// of all. The first violation found is seldom the smallest one, and a violation is
// understood by its faults.
//
// As long as that takes few executions, all schedules are executed, fewest faults first.
// The others are drawn, with other seeds.

// fewer is the search for a schedule with fewer faults.
type fewer struct {
	*Session
	best   *result.Counterexample
	left   int // executions that may still be made
	made   int
	shrunk int // executions that made the schedule found smaller
}

// fewer replaces a counterexample by one with fewer faults, if it finds one.
func (s *Session) fewer(ctx context.Context, x Executor, a *result.Answer, c *result.Counterexample) {
	f := &fewer{Session: s, best: c, left: min(a.Search.Executions, s.Options.Executions/4)}
	if c.Size == 0 || f.left == 0 {
		return
	}
	below := c.Size
	s.Progress(result.Progress{Executions: a.Search.Executions, Text: "looking for fewer faults"})
	ctx = s.For(ctx, ToFewer, -1)
	if f.all(ctx, x); s.Redraw != nil && (!f.best.Minimal || s.Varies(ctx)) {
		f.draw(ctx, x, uint64(a.Search.Executions))
	}
	if f.made > 0 {
		a.Search.Further, a.Search.Below = f.made, below
	}
	a.Stats.Executions += f.made + f.shrunk
	if ctx.Err() != nil {
		a.Limit = result.Ended(ctx)
	}
}

// all executes all schedules with so few faults that there are not too many, with
// the seed and ticks of the best.
func (f *fewer) all(ctx context.Context, x Executor) {
	if f.best.Minimal || schedules.WithinSystem(f.best.Schedule, f.Bounds) != nil {
		return
	}
	schedules, whole := f.smallest()
	i, ok := f.first(ctx, len(schedules), func(i int) rounds.Schedule { return schedules[i].With(f.best.Schedule.Settings) })
	switch {
	case !ok:
	case i < len(schedules):
		if f.take(ctx, x, schedules[i].With(f.best.Schedule.Settings), f.best.Schedule.Settings) {
			f.fewest(ctx, f.best)
		}
	case whole:
		f.fewest(ctx, f.best)
	}
}

// smallest returns schedules by their number of faults: all with fewer than the
// best, which it tells, or else as many sizes as half of the executions are enough
// for.
func (f *fewer) smallest() (all []rounds.Schedule, whole bool) {
	enough := 0
	for size, list := range schedules.New(f.Bounds).BySize() {
		if size == f.best.Size {
			break
		}
		for s := range list {
			if all = append(all, s); len(all) > f.left {
				return all[:enough], false
			}
		}
		if size < f.best.Size-1 && len(all) <= f.left/2 {
			enough = len(all)
		}
	}
	return all, true
}

// draw draws schedules with fewer faults than the best.
func (f *fewer) draw(ctx context.Context, x Executor, number uint64) {
	for f.left > 0 && f.best.Size > 0 && ctx.Err() == nil {
		draw := f.Redraw(f.best.Size - 1)
		n := f.left
		i, ok := f.first(ctx, n, func(i int) rounds.Schedule { return draw(number + uint64(i)) })
		if !ok || i == n {
			return
		}
		number += uint64(i) + 1
		f.take(ctx, x, draw(number-1), f.Settings)
	}
}

// anything is looked for among schedules with fewer faults.
func anything(result.Violation) bool { return true }

// take makes a schedule that violates a property the best, once it is as small as
// it can be with some settings fixed. It tells whether it does violate one.
func (f *fewer) take(ctx context.Context, x Executor, schedule rounds.Schedule, fixed rounds.Settings) bool {
	c, executions, err := f.violates(ctx, x, schedule, anything)
	f.shrunk += executions
	if c == nil || err != nil {
		return false
	}
	executions, err = f.minimise(ctx, x, c, c.Violations[0], fixed)
	f.shrunk += executions
	*f.best = *c
	return err == nil
}

// first returns the first of n schedules that violates a property, n if none
// does. It is false if the search was ended, or an execution failed before.
func (f *fewer) first(ctx context.Context, n int, schedule func(int) rounds.Schedule) (int, bool) {
	var next, best atomic.Int64
	best.Store(int64(n))
	var mutex sync.Mutex
	failed := false // execution best did
	end := func(i int64, err error) {
		mutex.Lock()
		defer mutex.Unlock()
		if i < best.Load() {
			best.Store(i)
			failed = err != nil
		}
	}
	var workers sync.WaitGroup
	turns := NewTurns()
	for range min(f.Workers, n) {
		x, err := f.Executor(false)
		if err != nil {
			return n, false
		}
		workers.Go(func() {
			for i := next.Add(1) - 1; i < best.Load() && ctx.Err() == nil; i = next.Add(1) - 1 {
				turns.Wait(int(i))
				if i >= best.Load() {
					return
				}
				e, violations, err := x.Execute(ctx, schedule(int(i)))
				if err == nil && len(violations) > 0 {
					_, err = turns.Take(int(i), func() (bool, error) {
						after, err := f.goOn(ctx, e, violations)
						if err != nil || len(after.Left) == 0 {
							return false, err
						}
						end(i, nil)
						return true, nil
					})
				}
				if err != nil {
					end(i, err)
				}
			}
		})
	}
	workers.Wait()
	i := int(best.Load())
	made := min(i+1, n)
	f.made, f.left = f.made+made, f.left-made
	return i, ctx.Err() == nil && !failed
}
