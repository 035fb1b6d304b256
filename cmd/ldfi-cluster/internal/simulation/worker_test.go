package simulation

import "time"

// worker is a machine.
type worker struct {
	slots []*slot
	life  int // who of those in this place: what was sent to one does not reach the next

	fetched bool // it has the files
	fetches []func()
}

// slot does one unit after the other.
type slot struct {
	worker  *worker
	started bool  // its process runs
	asks    bool  // it waits for a unit
	unit    *unit // that it does
	doing   activity
	since   time.Duration // when it began with that
	lease   int           // changes with each unit, and if it ends before its time
	leased  time.Duration // when it did
}

func (r *run) newWorker() *worker {
	w := &worker{}
	for range r.Slots {
		s := &slot{worker: w}
		w.slots = append(w.slots, s)
		r.slots[idle]++
		r.ask(s)
	}
	r.fate(w)
	return w
}

// fate decides when the worker dies.
func (r *run) fate(w *worker) {
	if r.Dies > 0 {
		r.clock.after(time.Duration(r.random.ExpFloat64()*float64(r.Dies)), func() { r.die(w) })
	}
}

// ask lets a slot ask the server for a unit.
func (r *run) ask(s *slot) {
	life := s.worker.life
	r.clock.after(r.Latency, func() {
		if s.worker.life == life {
			s.asks = true
			r.asking = append(r.asking, s)
			r.match()
		}
	})
}

// arrive gives a unit to a slot.
func (r *run) arrive(u *unit, s *slot, life int) {
	if s.worker.life != life {
		r.again(u, r.Regive)
		return
	}
	if u.ended {
		r.ask(s)
		return
	}
	s.unit, u.in = u, s
	r.queued--
	s.lease++
	s.leased = r.clock.now
	lease := s.lease
	still := func(do func()) func() {
		return func() {
			if s.lease == lease {
				do()
			}
		}
	}
	r.become(s, preparing)
	r.sign(s, lease)
	begin := func() {
		start := r.Each
		if !s.started {
			s.started = true
			start += r.Start
		}
		r.clock.after(start, still(func() {
			r.become(s, working)
			r.clock.after(u.piece.Cost, still(func() { r.finish(s, u) }))
		}))
	}
	r.fetch(s.worker, still(begin))
}

// fetch brings the files to a worker, once.
func (r *run) fetch(w *worker, then func()) {
	if w.fetched || r.files == 0 {
		then()
		return
	}
	w.fetches = append(w.fetches, then)
	if len(w.fetches) > 1 {
		return
	}
	life := w.life
	r.send(r.Deliver, func() {
		r.wire.do(r.transfer(r.files), func() {
			r.clock.after(r.Latency, func() {
				if w.life != life {
					return
				}
				w.fetched = true
				for _, then := range w.fetches {
					then()
				}
				w.fetches = nil
			})
		})
	})
}

// sign says at intervals that a unit is still in work.
func (r *run) sign(s *slot, lease int) {
	r.clock.after(r.Sign, func() {
		if s.lease == lease {
			r.send(r.Alive, func() {
				r.clock.after(r.Latency, func() { r.coordinator.do(r.Hear, func() {}) })
			})
			r.sign(s, lease)
		}
	})
}

// finish sends the answer, and asks for the next unit when the server has it.
func (r *run) finish(s *slot, u *unit) {
	r.become(s, finishing)
	s.lease++
	lease := s.lease
	r.send(r.Keep, func() {
		r.clock.after(r.Latency, func() { r.coordinator.do(r.Take, func() { r.take(u) }) })
		r.clock.after(r.Latency*time.Duration(1+2*r.Trips), func() {
			if s.lease == lease {
				s.unit = nil
				r.become(s, idle)
				r.ask(s)
			}
		})
	})
}

// kill ends what a slot does with a unit that does not matter any more.
func (r *run) kill(s *slot, u *unit, life int) {
	if s.worker.life == life && s.unit == u && s.doing == working {
		s.lease++
		s.started = false
		s.unit = nil
		r.waste(s)
		r.become(s, idle)
		r.ask(s)
	}
}

// die ends a worker. Its units are given to others.
func (r *run) die(w *worker) {
	w.life++
	w.fetched, w.fetches = false, nil
	r.deaths++
	for _, s := range w.slots {
		if u := s.unit; u != nil && s.doing != finishing {
			r.waste(s)
			if !u.ended {
				r.queued++
			}
			u.in = nil
			silent := (r.clock.now - s.leased) % r.Sign
			r.again(u, max(0, r.Regive-silent))
		}
		s.unit, s.asks, s.started = nil, false, false
		s.lease++
		r.become(s, dead)
	}
	if r.Back > 0 {
		r.clock.after(r.Back, func() {
			for _, s := range w.slots {
				r.become(s, idle)
				r.ask(s)
			}
			r.fate(w)
		})
	}
}

// again lets a unit wait for another slot, unless it was given too often: then it is set
// aside, and the coordinator told so.
func (r *run) again(u *unit, later time.Duration) {
	if u.ended {
		return
	}
	r.clock.after(later, func() {
		if u.given < r.Tries {
			r.wait(u)
			return
		}
		r.aside++
		r.clock.after(r.Latency, func() {
			r.coordinator.do(r.Take, func() {
				r.end(u)
				r.handOut()
			})
		})
	})
}
