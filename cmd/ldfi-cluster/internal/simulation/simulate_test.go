package simulation

import (
	"container/heap"
	"errors"
	"math/rand/v2"
	"time"
)

// Run lets the workers do the question. It ends when the coordinator has every answer that
// matters and has computed again what it wants to.
func Run(p Parameters, q *Question) (*Outcome, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	r := newRun(p, q)
	for !r.over() {
		if !r.clock.step(r.passed) {
			return nil, errors.New("all workers died, and none came in their place")
		}
		if r.deaths > 1000*p.Workers {
			return nil, errors.New("the workers die before they have done anything")
		}
	}
	return r.outcome(q), nil
}

// run is a question in work.
type run struct {
	Parameters
	clock  *clock
	random *rand.Rand

	coordinator, recheck, server, wire *station

	workers []*worker
	files   int64
	open    time.Duration

	pending     units // the coordinator has not handed them out; first in order first
	waiting     []*unit
	asking      []*slot
	outstanding map[*unit]bool
	rechecks    int // that have not ended
	best        int // in the order: the first piece that breaks, as far as known

	queued int // units that no slot has
	deaths int // since the last answer
	aside  int // units that were given too often
	slots  [activities]int
	shares [purposes]time.Duration
}

// unit is a piece that is to be done.
type unit struct {
	piece *Piece
	order int
	given int   // how often it was given to a slot
	in    *slot // that does it; nil if none does
	ended bool  // it has an answer, or does not matter any more
}

func newRun(p Parameters, q *Question) *run {
	c := &clock{}
	r := &run{
		Parameters:  p,
		clock:       c,
		random:      rand.New(rand.NewPCG(p.Seed, 0)),
		coordinator: newStation(c, p.Cores/2),
		recheck:     newStation(c, p.Cores/2),
		server:      newStation(c, p.ServerCores),
		wire:        newStation(c, 1),
		files:       q.Files,
		open:        q.Open,
		outstanding: map[*unit]bool{},
		best:        int(^uint(0) >> 1),
	}
	for order, piece := range q.Pieces { // which is a heap as it is
		r.pending = append(r.pending, &unit{piece: piece, order: order})
	}
	r.queued = len(r.pending)
	for range p.Workers {
		r.workers = append(r.workers, r.newWorker())
	}
	r.handOut()
	return r
}

func (r *run) over() bool {
	return len(r.pending) == 0 && len(r.outstanding) == 0 && r.rechecks == 0
}

// handOut hands out units, as many as the window allows.
func (r *run) handOut() {
	for len(r.pending) > 0 && len(r.outstanding) < r.Window*r.Workers*r.Slots {
		u := heap.Pop(&r.pending).(*unit)
		r.outstanding[u] = true
		r.coordinator.do(r.open+r.HandOut, func() {
			r.send(r.Accept, func() { r.wait(u) })
		})
	}
}

// send brings a message to the server, which has work with it.
func (r *run) send(cost time.Duration, then func()) {
	r.clock.after(r.Latency, func() { r.server.do(cost, then) })
}

// wait lets a unit wait at the server until a slot asks for it.
func (r *run) wait(u *unit) {
	if !u.ended {
		r.waiting = append(r.waiting, u)
		r.match()
	}
}

// match gives units to slots that ask.
func (r *run) match() {
	for len(r.waiting) > 0 && len(r.asking) > 0 {
		if r.waiting[0].ended {
			r.waiting = r.waiting[1:]
			continue
		}
		s := r.asking[0]
		r.asking = r.asking[1:]
		if !s.asks {
			continue // its worker died
		}
		u := r.waiting[0]
		r.waiting = r.waiting[1:]
		s.asks = false
		u.given++
		life := s.worker.life
		r.server.do(r.Deliver, func() {
			r.clock.after(r.Latency, func() { r.arrive(u, s, life) })
		})
	}
}

// take is told of the answer of a unit.
func (r *run) take(u *unit) {
	if u.ended {
		return // its answer came before, from somebody else
	}
	r.end(u)
	r.deaths = 0
	piece := u.piece
	switch {
	case piece.Breaks && u.order < r.best:
		r.best = u.order
		r.cancel()
	case r.random.Float64() < r.Recheck:
		r.rechecks++
		r.recheck.do(piece.Cost, func() { r.rechecks-- })
	}
	r.handOut()
}

// end forgets a unit that has an answer, or does not need one.
func (r *run) end(u *unit) {
	u.ended = true
	delete(r.outstanding, u)
	if u.in == nil {
		r.queued--
	}
}

// cancel takes back what comes behind the best counterexample.
func (r *run) cancel() {
	kept := r.pending[:0]
	for _, u := range r.pending {
		if u.order < r.best {
			kept = append(kept, u)
		} else {
			r.queued--
		}
	}
	clear(r.pending[len(kept):])
	r.pending = kept
	heap.Init(&r.pending)
	for _, w := range r.workers {
		for _, s := range w.slots {
			if u := s.unit; u != nil && u.order > r.best && !u.ended {
				life := w.life
				r.coordinator.do(r.HandOut, func() {
					r.send(r.Accept, func() {
						r.clock.after(r.Latency, func() { r.kill(s, u, life) })
					})
				})
			}
		}
	}
	for u := range r.outstanding {
		if u.order > r.best {
			r.end(u)
		}
	}
}

// units are a heap.
type units []*unit

func (u units) Len() int           { return len(u) }
func (u units) Less(i, j int) bool { return u[i].order < u[j].order }
func (u units) Swap(i, j int)      { u[i], u[j] = u[j], u[i] }
func (u *units) Push(x any)        { *u = append(*u, x.(*unit)) }

func (u *units) Pop() any {
	last := len(*u) - 1
	x := (*u)[last]
	(*u)[last] = nil
	*u = (*u)[:last]
	return x
}
