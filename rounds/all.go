package rounds

import (
	"iter"
	"slices"
)

// All yields every schedule within the bounds once, in normal form, the one
// without faults first. There are Bounds.Scenarios of them.
func (u *Universe) All() iter.Seq[Schedule] {
	return func(yield func(Schedule) bool) {
		w := &walk{universe: u, yield: yield}
		for _, kind := range budgeted {
			for i := range u.slots(kind) {
				w.kinds, w.slots = append(w.kinds, kind), append(w.slots, u.slot(kind, i))
			}
			w.left[kind] = u.bounds.budget(kind)
		}
		w.fill(0)
	}
}

// walk goes through the ways to fill slots, depth first.
type walk struct {
	universe *Universe
	slots    []slot
	kinds    []Kind             // of the slots
	left     [len(budgeted)]int // by kind, how many more units there may be; negative: unlimited
	chosen   []int
	yield    func(Schedule) bool
}

// fill fills the slots from i on in every way. It returns false to stop.
func (w *walk) fill(i int) bool {
	if i == len(w.slots) {
		return w.yield(w.universe.scheduleOf(w.chosen))
	}
	if !w.fill(i + 1) {
		return false
	}
	kind := w.kinds[i]
	if w.left[kind] == 0 {
		return true
	}
	w.left[kind]--
	defer func() { w.left[kind]++ }()
	for k := w.earliest(i); k < w.slots[i].size; k++ {
		w.chosen = append(w.chosen, w.slots[i].unit(k))
		more := w.fill(i + 1)
		w.chosen = w.chosen[:len(w.chosen)-1]
		if !more {
			return false
		}
	}
	return true
}

// earliest returns the first unit of a slot that goes with those chosen: a
// process restarts only once it has crashed.
func (w *walk) earliest(i int) int {
	if w.kinds[i] != Restart {
		return 0
	}
	p := (w.slots[i].first - w.universe.firstRestart()) % w.universe.n
	return w.universe.crashOf(w.chosen, p)
}

// crashOf returns how many rounds there are before the crash of a process, all
// of them if it is not among the units.
func (u *Universe) crashOf(units []int, p int) int {
	for _, unit := range units {
		if unit < u.crashes && unit%u.n == p {
			return unit / u.n
		}
	}
	return u.bounds.EOT
}

// scheduleOf returns the schedule of some units in normal form.
func (u *Universe) scheduleOf(units []int) Schedule {
	faults := slices.Grow([]Fault(nil), len(units))
	for _, unit := range units {
		faults = append(faults, u.Fault(unit))
	}
	slices.SortFunc(faults, Fault.Compare)
	return Schedule{Faults: faults}
}
