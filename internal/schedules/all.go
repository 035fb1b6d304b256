package schedules

import (
	"iter"

	"github.com/lineage-driven/ldfi/rounds"
)

// All yields every schedule within the bounds once, in normal form, the one
// without faults first. There are Count of them.
func (u *Universe) All() iter.Seq[rounds.Schedule] { return u.AtMost(u.Len()) }

// AtMost yields what All does, as far as it has at most so many faults. Choices are
// none.
func (u *Universe) AtMost(faults int) iter.Seq[rounds.Schedule] {
	return func(yield func(rounds.Schedule) bool) {
		u.walk(faults, func(units []int) bool { return yield(u.scheduleOf(units)) })
	}
}

// walk yields the units of each schedule that AtMost yields. They are valid until the
// next. It tells whether schedules are left out because they have more faults.
func (u *Universe) walk(faults int, yield func(units []int) bool) (cut bool) {
	w := &walk{universe: u, left: make([]int, len(u.sections)), faults: faults, yield: yield, network: u.thinning()}
	for k := range u.sections {
		w.left[k] = u.sections[k].budget
		if k != chosen {
			w.steps = append(w.steps, w.stepsOf(k)...)
		}
		if k == crashes && w.network != nil {
			w.steps = append(w.steps, w.survive)
		}
	}
	w.choices = len(w.steps)
	w.steps = append(w.steps, w.stepsOf(chosen)...)
	w.step(0)
	return w.cut
}

// walk goes through the ways to choose units, depth first.
type walk struct {
	universe *Universe
	steps    []func(next int) bool
	choices  int   // the first of the steps of choices
	left     []int // by section, how many more units there may be; negative: unlimited
	faults   int   // how many more faults there may be altogether
	cut      bool  // a schedule was left out because it has more faults
	chosen   []int
	yield    func(units []int) bool
	network  *thinning // nil: nothing is taken for granted of what is received
}

// stepsOf returns the steps of a section: one for each slot, and one for each
// process that crashes and restarts.
func (w *walk) stepsOf(row int) (steps []func(int) bool) {
	u := w.universe
	s := &u.sections[row]
	switch {
	case row == crashes && s.last > 0:
		for p := range w.universe.n {
			chain := w.universe.Chain(p)
			steps = append(steps, func(next int) bool { return w.follow(chain, rounds.Crash, next) })
		}
	case row == slow && w.universe.sections[fast].last > 0: // with those that are fast
	case row == fast && w.universe.sections[slow].last > 0:
		for i := range s.slots() {
			ahead, behind := s.slot(i), w.universe.sections[slow].slot(i)
			steps = append(steps, func(next int) bool {
				return w.fill(fast, ahead, next) && w.use(slow, behind, next)
			})
		}
	case u.isLate(row): // with what is lost
	case row == omissions && u.anyLate():
		for i := range u.lateSlots() {
			steps = append(steps, func(next int) bool { return w.late(i, next) })
		}
	case !s.chain:
		for i := range s.slots() {
			slot := s.slot(i)
			steps = append(steps, func(next int) bool { return w.fill(row, slot, next) })
		}
	}
	return steps
}

// step takes the steps from one on in every way. It returns false to stop.
func (w *walk) step(i int) bool {
	if w.faults == 0 && i < w.choices { // only choices are left
		i, w.cut = w.choices, true
	}
	if i == w.choices && w.network != nil && !w.network.meets(w.universe.scheduleOf(w.chosen)) {
		return true // whatever is chosen
	}
	if i == len(w.steps) {
		return w.yield(w.chosen)
	}
	return w.steps[i](i + 1)
}

// fill leaves a slot empty, and then has each of its units.
func (w *walk) fill(row int, s slot, next int) bool {
	return w.step(next) && w.use(row, s, next)
}

// use has each of the units of a slot.
func (w *walk) use(row int, s slot, next int) bool {
	for i := range s.size {
		if !w.with(row, s.unit(i), func() bool { return w.step(next) }) {
			return false
		}
	}
	return true
}

// late leaves what one process sends another in a round as it is, and then lets it
// be lost, late, come twice, and late and twice.
func (w *walk) late(i, next int) bool {
	on := func(row int, more func() bool) bool {
		slot, ok := w.universe.slotOf(row, i)
		if !ok {
			return true
		}
		for k := range slot.size {
			if !w.with(row, slot.unit(k), more) {
				return false
			}
		}
		return true
	}
	step := func() bool { return w.step(next) }
	twice := func() bool { return on(duplicates, step) }
	return step() && on(omissions, step) && on(delays, step) && twice() && on(delays, twice)
}

// follow leaves a process as it is, and then lets it crash or restart, whichever
// it has to be, at each moment of the rest of its chain.
func (w *walk) follow(chain []Moment, kind rounds.Kind, next int) bool {
	if !w.step(next) {
		return false
	}
	row, then := crashes, rounds.Restart
	if kind == rounds.Restart {
		row, then = restarts, rounds.Crash
	}
	for i, moment := range chain {
		if moment.Kind != kind {
			continue
		}
		for _, unit := range moment.Units {
			if !w.with(row, unit, func() bool { return w.follow(chain[i+1:], then, next) }) {
				return false
			}
		}
	}
	return true
}

// with goes on with one unit more, unless the budgets do not allow it.
func (w *walk) with(row, unit int, more func() bool) bool {
	both := row == partitions // its budget is that of isolations as well
	if !w.universe.Alive(unit) || w.left[row] == 0 || both && w.left[isolations] == 0 {
		return true
	}
	if row != chosen && w.faults == 0 {
		w.cut = true
		return true
	}
	struck := 1
	if row == chosen {
		struck = 0
	}
	w.left[row]--
	w.faults -= struck
	if both {
		w.left[isolations]--
	}
	w.chosen = append(w.chosen, unit)
	goOn := w.hopeless(row, unit) || more()
	w.chosen = w.chosen[:len(w.chosen)-1]
	w.left[row]++
	w.faults += struck
	if both {
		w.left[isolations]++
	}
	return goOn
}

// survive goes on unless those who are left after the crashes receive less than is
// taken for granted, to which later steps add no more.
func (w *walk) survive(next int) bool {
	if w.network.final() && !w.network.meets(w.universe.scheduleOf(w.chosen)) {
		return true
	}
	return w.step(next)
}

// hopeless tells whether with a unit less is received than is taken for granted,
// whatever units are added.
func (w *walk) hopeless(row, unit int) bool {
	if w.network == nil || row == chosen || w.universe.sections[row].chain || !w.network.final() {
		return false
	}
	f := w.universe.Fault(unit)
	return !w.network.meetsIn(w.universe.scheduleOf(w.chosen), f.Round, max(f.Round, f.Until))
}
