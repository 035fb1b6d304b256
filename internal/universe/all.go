package universe

import (
	"iter"

	"github.com/lineage-driven/ldfi/rounds"
)

// All yields every schedule within the bounds once, in normal form, the one
// without faults first. There are Bounds.Scenarios of them.
func (u *Universe) All() iter.Seq[rounds.Schedule] { return u.AtMost(u.Len()) }

// AtMost yields what All does, as far as it has at most so many faults.
func (u *Universe) AtMost(faults int) iter.Seq[rounds.Schedule] {
	return func(yield func(rounds.Schedule) bool) {
		w := &walk{universe: u, left: make([]int, len(u.sections)), faults: faults, yield: yield}
		for k := range u.sections {
			s := &u.sections[k]
			for i := range s.slots() {
				w.kinds, w.slots = append(w.kinds, k), append(w.slots, s.slot(i))
			}
			w.left[k] = s.budget
		}
		w.fill(0)
	}
}

// walk goes through the ways to fill slots, depth first.
type walk struct {
	universe *Universe
	slots    []slot
	kinds    []int // the sections of the slots
	left     []int // by section, how many more units there may be; negative: unlimited
	faults   int   // how many units there may be altogether
	chosen   []int
	yield    func(rounds.Schedule) bool
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
	if w.left[kind] == 0 || len(w.chosen) == w.faults {
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
	s := &w.universe.sections[w.kinds[i]]
	if s.needs < 0 {
		return 0
	}
	target, _ := s.place(w.slots[i].first)
	return w.universe.before(s, w.chosen, target)
}

// before returns how many rounds there are before what a kind of fault needs on
// a target, all of them if it is not among the units.
func (u *Universe) before(s *section, units []int, target int) int {
	needed := &u.sections[s.needs]
	for _, unit := range units {
		if u.sectionOf(unit) != needed {
			continue
		}
		if at, round := needed.place(unit); at == target {
			return round - 1
		}
	}
	return s.last
}
