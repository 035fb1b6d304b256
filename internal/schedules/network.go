package schedules

import (
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
)

// network has the assumptions of bounds about the messages of each round. A process takes
// part in a round if it is neither down nor paused in it. A process that crashes at the
// start of a round and is back in it takes part, and a process that crashes within it does
// not. A message counts if it arrives in the round in which it was sent.
type network struct {
	least  int  // each process that takes part receives from at least as many of them, itself included
	kernel bool // one process that takes part exchanges messages with all others
}

// networkOf returns the assumptions of bounds, nil if there are none.
func networkOf(b rounds.Bounds) *network {
	if b.Deliver == "" && b.Kernel == "" {
		return nil
	}
	least, kernel := b.Network()
	if !kernel && (least < 1 || least < 2 && !b.OwnLost) { // a process receives from itself
		return nil
	}
	return &network{least, kernel}
}

// met reports a round of a schedule that does not meet the assumptions of bounds.
func (w *network) met(b rounds.Bounds, s rounds.Schedule) error {
	if w == nil || len(s.Faults) == 0 {
		return nil
	}
	free := b
	free.Deliver, free.Kernel = "", ""
	e, err := NewEnvironment(free, s)
	if err != nil {
		return err
	}
	return w.within(e, b, 1, b.EOT)
}

// within is met for some rounds of an environment.
func (w *network) within(e *Environment, b rounds.Bounds, first, last int) error {
	for round := first; round <= last; round++ {
		up := e.takesPart(round)
		if p, from := w.deaf(e, up, round); p >= 0 {
			return wrong("%s: in round %d %s receives from %s, itself included, and each takes %d for granted (deliver=%s)",
				e.schedule.Normal(), round, b.Processes[p], text.Plural(from, "process"), w.least, b.Deliver)
		}
		if w.kernel && !e.hasKernel(up, round) {
			return wrong("%s: in round %d no process exchanges messages with all others (kernel=%s)", e.schedule.Normal(), round, b.Kernel)
		}
	}
	return nil
}

// deaf returns a process that receives from too few, and the number of its senders; -1 if
// there is none.
func (w *network) deaf(e *Environment, up []bool, round int) (process, from int) {
	for p := range up {
		if !up[p] {
			continue
		}
		from := 0
		for q := range up {
			if up[q] && e.Delivers(q, p, round) {
				from++
			}
		}
		if from < w.least {
			return p, from
		}
	}
	return -1, 0
}

// hasKernel tells whether a process that is up exchanges messages with all others.
func (e *Environment) hasKernel(up []bool, round int) bool {
	for k := range up {
		reaches := up[k]
		for p := range up {
			if up[p] {
				reaches = reaches && e.Delivers(k, p, round) && e.Delivers(p, k, round)
			}
		}
		if reaches {
			return true
		}
	}
	return false
}

// takesPart returns by process whether it takes part in a round.
func (e *Environment) takesPart(round int) []bool {
	up := make([]bool, len(e.bounds.Processes))
	for p := range up {
		up[p] = true
	}
	for _, f := range e.schedule.Faults {
		switch {
		case f.Kind == rounds.Crash && f.Round <= round && round < max(e.back(f), f.Round+atPoint(f)),
			f.Kind == rounds.Pause && f.Round <= round && round <= max(f.Until, f.Round):
			up[e.index[f.Process]] = false
		}
	}
	return up
}

// atPoint is 1 for a crash within its round, in which the process takes no part even
// if it is back soon.
func atPoint(f rounds.Fault) int {
	if f.Point() != "" {
		return 1
	}
	return 0
}

// thinning checks many schedules within bounds that have assumptions about the messages of
// each round.
type thinning struct {
	*network
	bounds rounds.Bounds
	free   *Environment
	pauses bool
}

// thinning returns the check of schedules against the assumptions, nil if there are none.
func (u *Universe) thinning() *thinning {
	w := networkOf(u.bounds)
	if w == nil {
		return nil
	}
	free := u.bounds
	free.Deliver, free.Kernel = "", ""
	e, err := NewEnvironment(free, rounds.Schedule{})
	if err != nil {
		panic(err) // the bounds of a universe are valid
	}
	return &thinning{w, u.bounds, e, u.sections[pauses].last > 0}
}

// final tells that a process that receives too little still does when faults other than
// crashes are added, because it cannot be paused instead.
func (t *thinning) final() bool { return !t.pauses }

// meets tells whether a schedule within the other bounds meets the assumptions.
func (t *thinning) meets(s rounds.Schedule) bool { return t.meetsIn(s, 1, t.bounds.EOT) }

// meetsIn is meets for some rounds.
func (t *thinning) meetsIn(s rounds.Schedule, first, last int) bool {
	return t.free.Reset(s) == nil && t.within(t.free, t.bounds, first, last) == nil
}
