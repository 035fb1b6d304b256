package simulation

import "time"

// activity is what a slot does.
type activity int

const (
	idle      activity = iota
	preparing          // fetches files, starts its process, begins with the unit
	working
	finishing // hands in the answer
	dead
	activities
)

// purpose is what became of the time of a slot.
type purpose int

const (
	work    purpose = iota // an answer came of it
	around                 // what a unit costs besides the work
	starved                // there were units, but not here
	tail                   // there were no units but those that others did
	after                  // all units were done: the coordinator was not ready
	wasted                 // the answer did not matter any more, or the worker died
	gone                   // the worker was dead
	purposes
)

// Outcome is how a question went.
type Outcome struct {
	Makespan   time.Duration // from the question to the answer
	Alone      time.Duration // what one process takes
	Efficiency float64       // Alone, divided by Makespan and by the number of slots
	Longest    time.Duration // the longest unit
	Aside      int           // units that were given too often, and have no answer

	Coordinator, Rechecks, Server, Wire float64 // the share of the time in which each was at work

	shares [purposes]float64 // what became of the time of all slots
}

func (r *run) become(s *slot, what activity) {
	r.slots[s.doing]--
	r.slots[what]++
	s.doing, s.since = what, r.clock.now
}

// passed is told of time that goes by, in which nothing changes.
func (r *run) passed(d time.Duration) {
	add := func(to purpose, slots int) { r.shares[to] += d * time.Duration(slots) }
	add(work, r.slots[working])
	add(around, r.slots[preparing]+r.slots[finishing])
	add(gone, r.slots[dead])
	waits := min(r.slots[idle], r.queued)
	add(starved, waits)
	if r.slots[preparing]+r.slots[working]+r.slots[finishing]+r.queued > 0 {
		add(tail, r.slots[idle]-waits)
	} else {
		add(after, r.slots[idle])
	}
}

// waste is told that nothing comes of what a slot worked at.
func (r *run) waste(s *slot) {
	if s.doing == working {
		lost := r.clock.now - s.since
		r.shares[work] -= lost
		r.shares[wasted] += lost
	}
}

func (r *run) outcome(q *Question) *Outcome {
	slots := r.Workers * r.Slots
	o := &Outcome{
		Makespan:    r.clock.now,
		Alone:       q.Alone(),
		Longest:     q.Longest(),
		Aside:       r.aside,
		Coordinator: r.coordinator.load(),
		Rechecks:    r.recheck.load(),
		Server:      r.server.load(),
		Wire:        r.wire.load(),
	}
	all := float64(o.Makespan) * float64(slots)
	if all == 0 {
		o.Efficiency = 1
		return o
	}
	o.Efficiency = float64(o.Alone) / all
	for i, d := range r.shares {
		o.shares[i] = float64(d) / all
	}
	return o
}

// Limit says in a few words what most of the time was lost for that the slots did not work.
func (o *Outcome) Limit() string {
	largest, where := 0.0, work
	for p := around; p < purposes; p++ {
		if o.shares[p] > largest {
			largest, where = o.shares[p], p
		}
	}
	switch {
	case largest < 0.005:
		return "nothing"
	case where == starved:
		return o.starvedBy()
	case where == tail && o.Longest > o.Makespan/2:
		return "the longest unit"
	}
	return map[purpose]string{
		around: "what a unit costs besides the work",
		tail:   "the end, when there are fewer units than slots",
		after:  "what the coordinator computes again",
		wasted: "work in vain",
		gone:   "dead workers",
	}[where]
}

// starvedBy says who did not bring the units.
func (o *Outcome) starvedBy() string {
	switch most := max(o.Coordinator, o.Server, o.Wire); {
	case most < 0.8:
		return "ways between processes"
	case o.Wire == most:
		return "the files on the network"
	case o.Server == most:
		return "the server"
	}
	return "the coordinator"
}
