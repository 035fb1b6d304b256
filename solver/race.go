package solver

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// race solves the parts of a goal, under some assumptions, until one holds or none can. It
// begins with one solver, and the encoding that is fastest for easy parts. A part that
// takes too long is split in halves; a part that cannot be split is also tried with the
// other encoding, alternating with more and more work for each. Once the goal has turned
// out to be hard, a second worker begins at the other end, and helps the first when it has
// no other part. A part that one worker refutes is done for both.
//
// Whichever worker wins, the answer is right, and so the sets that follow from it are the
// same. The work of each, and the model found, can differ from run to run.
type race struct {
	search      *Search
	assumptions []Lit
	ctx         context.Context
	stop        context.CancelFunc // no answer is needed any more

	mutex   sync.Mutex
	change  *sync.Cond
	waiting []*entry // in order; the first worker takes the first, the second the last
	running []*entry
	second  bool // there is a second worker
	workers sync.WaitGroup

	status Status // Unsat until something else is known
	err    error
	winner *Solver // has the model
	core   []Lit   // assumptions that are to blame
}

// entry is a part in a race.
type entry struct {
	*part
	tries  int
	at     []encoding // the encodings at work on it
	done   bool
	ctx    context.Context
	cancel context.CancelFunc
}

// effort limits the work before something else is tried. Work is counted in eighths of
// ticks, and each call is at least one.
type effort struct {
	alone int // the work of one worker before there is another
	least int // the least work for a part
	share int // or this share of all work so far, if that is more
}

const perTick = 8

// usual are measured: half of a second and more before a second worker begins, a tenth for a part.
var usual = effort{alone: 512 * perTick, least: 64 * perTick, share: 16}

// errWork says that a search is to work no more.
var errWork = errors.New("solving: all work is done that was to be")

// race prepares to ask for the parts that are open.
func (s *Search) race(ctx context.Context, assumptions []Lit) *race {
	r := &race{search: s, assumptions: assumptions, status: Unsat}
	r.ctx, r.stop = context.WithCancel(ctx)
	r.change = sync.NewCond(&r.mutex)
	for _, p := range open(s.parts) {
		r.waiting = append(r.waiting, &entry{part: p})
	}
	return r
}

// run returns when the answer is known, and all workers have stopped.
func (r *race) run() {
	r.work(0)
	r.workers.Wait()
	r.stop()
}

// work is the loop of a worker.
func (r *race) work(worker int) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	s := r.search
	for {
		r.reinforce()
		if s.most > 0 && s.spent >= s.most && r.status == Unsat {
			r.status, r.err = Unknown, errWork
			r.stop()
			r.change.Broadcast()
		}
		e, with := r.next(worker)
		if e == nil {
			return
		}
		e.at = append(e.at, with)
		solver := s.solver(worker, with)
		budget := max(s.effort.least<<min(e.tries/2, 32), s.spent/s.effort.share)
		r.mutex.Unlock()
		status, ticks, err := solver.try(e.ctx, budget/perTick, append(slices.Clone(r.assumptions), e.goal))
		r.mutex.Lock()
		s.spent += ticks*perTick + 1
		e.at = slices.DeleteFunc(e.at, func(other encoding) bool { return other == with })
		if !e.done && r.status == Unsat {
			r.settle(e, with, solver, status, err)
			r.change.Broadcast()
		}
	}
}

// reinforce starts the second worker once the question has turned out to be hard.
func (r *race) reinforce() {
	if r.second || r.search.Workers < 2 || r.search.spent < r.search.effort.alone {
		return
	}
	r.second = true
	r.workers.Go(func() { r.work(1) })
}

// next returns the next part for a worker and its encoding, nil if there are no more.
func (r *race) next(worker int) (*entry, encoding) {
	for r.status == Unsat {
		if e := r.take(worker); e != nil {
			return e, (r.search.front + encoding(e.tries)) % 2
		}
		if len(r.running) == 0 {
			break
		}
		e := r.running[0]
		switch {
		case e.halves != nil:
			r.halve(e)
		case len(e.at) == 1:
			return e, 1 - e.at[0]
		default:
			r.change.Wait()
		}
	}
	return nil, 0
}

// take returns the next waiting part.
func (r *race) take(worker int) *entry {
	n := len(r.waiting)
	if n == 0 {
		return nil
	}
	i := 0
	if worker > 0 {
		i = n - 1
	}
	e := r.waiting[i]
	r.waiting = slices.Delete(r.waiting, i, i+1)
	r.running = append(r.running, e)
	e.ctx, e.cancel = context.WithCancel(r.ctx)
	return e
}

// halve asks for the halves of e in its place.
func (r *race) halve(e *entry) {
	e.split = true
	r.finish(e)
	r.waiting = slices.Insert(r.waiting, 0, &entry{part: e.halves[0]}, &entry{part: e.halves[1]})
}

// settle records the answer of a solver about the part e.
func (r *race) settle(e *entry, with encoding, solver *Solver, status Status, err error) {
	switch {
	case status == Sat:
		r.status, r.winner = Sat, solver
		r.stop()
	case status == Unsat:
		r.refute(e, solver.core)
		if e.tries > 0 {
			r.search.front = with
		}
	case err != nil:
		r.status, r.err = Unknown, err
		r.stop()
	case e.halves != nil:
		r.halve(e)
	default:
		e.tries++
		if len(e.at) == 0 {
			r.finish(e)
			r.waiting = slices.Insert(r.waiting, 0, &entry{part: e.part, tries: e.tries})
		}
	}
}

// refute knows that e cannot hold, under the assumptions to blame or at all.
func (r *race) refute(e *entry, core []Lit) {
	blamed := false
	for _, l := range core {
		if l == e.goal {
			continue
		}
		blamed = true
		if !slices.Contains(r.core, l) {
			r.core = append(r.core, l)
		}
	}
	if !blamed {
		e.refuted = true
		r.search.Assert(e.goal.Not())
	}
	r.finish(e)
}

// finish ends all that is done for e.
func (r *race) finish(e *entry) {
	e.done = true
	e.cancel()
	r.running = slices.DeleteFunc(r.running, func(other *entry) bool { return other == e })
}
