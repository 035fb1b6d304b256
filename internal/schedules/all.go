package schedules

import (
	"cmp"
	"iter"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// All yields every schedule within the bounds once, in normal form, the schedule without
// faults first. There are Count of them.
func (u *Universe) All() iter.Seq[rounds.Schedule] { return u.AtMost(u.Len()) }

// AtMost yields the schedules of All with at most the given number of faults. Choices
// do not count as faults.
func (u *Universe) AtMost(faults int) iter.Seq[rounds.Schedule] {
	return func(yield func(rounds.Schedule) bool) {
		u.walk(faults).all(func(units []int) bool { return yield(u.scheduleOf(units)) })
	}
}

// walk goes through the ways to choose units, depth first.
type walk struct {
	universe *Universe
	steps    []step
	choices  int   // the first of the steps of choices
	left     []int // by section, how many more units there may be; negative: unlimited
	faults   int   // how many more faults there may be altogether
	least    int   // the least number of further faults, and of choices
	chooses  int
	more     bool // a schedule was left out because it has more faults
	ended    bool // nothing stopped the last walk
	chosen   []int
	yield    func(units []int) bool
	network  *thinning // nil: there are no assumptions about the messages of a round
}

// step is a decision: it uses none or some of its units, and continues with the next step.
type step struct {
	take  func(next int) bool
	rows  []int // of the units
	same  int   // steps with the same rows: this one and those after it
	most  int   // the most units of these steps
	later int   // the most units of the steps with other rows after these
}

// walk returns a walk through the schedules with at most the given number of faults.
func (u *Universe) walk(faults int) *walk {
	w := &walk{universe: u, left: make([]int, len(u.sections)), faults: faults, network: u.thinning()}
	for k := range u.sections {
		w.left[k] = u.sections[k].budget
	}
	for _, c := range u.classes() {
		w.steps = append(w.steps, c.steps(w)...)
	}
	if w.network != nil {
		w.steps = append(w.steps, newStep(0, w.survive, crashes))
	}
	slices.SortStableFunc(w.steps, func(a, b step) int { return cmp.Compare(a.rows[0], b.rows[0]) })
	w.choices = len(w.steps)
	if i := slices.IndexFunc(w.steps, func(s step) bool { return s.rows[0] == chosen }); i >= 0 {
		w.choices = i
	}
	for i := w.choices - 2; i >= 0; i-- {
		if s, next := &w.steps[i], &w.steps[i+1]; slices.Equal(s.rows, next.rows) {
			s.same, s.most, s.later = s.same+next.same, s.most+next.most, next.later
		} else {
			s.later = w.atMost(i + 1)
		}
	}
	return w
}

// newStep returns a step that has no more than most units of the rows. The first row
// decides its place among the steps.
func newStep(most int, take func(next int) bool, rows ...int) step {
	return step{take: take, rows: rows, same: 1, most: most}
}

// all yields the units of each schedule. They are valid until the next.
func (w *walk) all(yield func(units []int) bool) {
	w.yield = yield
	w.ended = w.step(0)
}

// atMost returns an upper bound of the number of faults in the steps from i on.
func (w *walk) atMost(i int) int {
	if i >= w.choices {
		return 0
	}
	s, left := &w.steps[i], 0
	for _, row := range s.rows {
		n := w.left[row]
		if both := w.left[isolations]; row == partitions && both >= 0 && (n < 0 || both < n) {
			n = both
		}
		if again := w.left[restarts]; row == crashes && again >= 0 && (n < 0 || again+s.same < n) {
			n = again + s.same // each process crashes as often as it restarts, or once more
		}
		if n < 0 {
			return s.most + s.later
		}
		left += n
	}
	return min(left, s.most) + s.later
}

// step takes the steps from i on in every way. It returns false to stop.
func (w *walk) step(i int) bool {
	if w.least > 0 && w.least > w.atMost(i) || w.chooses > 0 && w.chooses > len(w.steps)-max(i, w.choices) {
		return true
	}
	if w.faults == 0 && i < w.choices { // only choices are left
		i, w.more = w.choices, true
	}
	if i == w.choices && w.network != nil && !w.network.meets(w.universe.scheduleOf(w.chosen)) {
		return true // whatever is chosen
	}
	if i == len(w.steps) {
		return w.yield(w.chosen)
	}
	return w.steps[i].take(i + 1)
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

// late leaves the messages of a link in a round unchanged, and then makes them lost, late,
// duplicated, and late and duplicated.
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

// follow leaves a process unchanged, and then makes it crash or restart, as kind says, at
// each moment of the rest of its chain.
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

// with adds a unit and calls more, if the budgets allow the unit.
func (w *walk) with(row, unit int, more func() bool) bool {
	both := row == partitions // its budget is that of isolations as well
	if !w.universe.Alive(unit) || w.left[row] == 0 || both && w.left[isolations] == 0 {
		return true
	}
	if row != chosen && w.faults == 0 {
		w.more = true
		return true
	}
	struck := 1
	if row == chosen {
		struck = 0
	}
	w.left[row]--
	w.faults, w.least, w.chooses = w.faults-struck, w.least-struck, w.chooses-1+struck
	if both {
		w.left[isolations]--
	}
	w.chosen = append(w.chosen, unit)
	goOn := w.hopeless(row, unit) || more()
	w.chosen = w.chosen[:len(w.chosen)-1]
	w.left[row]++
	w.faults, w.least, w.chooses = w.faults+struck, w.least+struck, w.chooses+1-struck
	if both {
		w.left[isolations]++
	}
	return goOn
}

// survive continues with step next, unless the processes receive less than the bounds
// assume after the crashes, and later steps add no crashes.
func (w *walk) survive(next int) bool {
	if w.network.final() && !w.network.meets(w.universe.scheduleOf(w.chosen)) {
		return true
	}
	return w.step(next)
}

// hopeless tells whether, with one more unit, a process receives less than the bounds
// assume, whatever units are added.
func (w *walk) hopeless(row, unit int) bool {
	if w.network == nil || row == chosen || w.universe.sections[row].chain || !w.network.final() {
		return false
	}
	f := w.universe.Fault(unit)
	return !w.network.meetsIn(w.universe.scheduleOf(w.chosen), f.Round, max(f.Round, f.Until))
}
