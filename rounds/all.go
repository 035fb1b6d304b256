package rounds

import (
	"iter"
	"math/rand/v2"
	"slices"
)

// All yields every schedule within the bounds once, in normal form, the one
// without faults first. There are Bounds.Scenarios of them.
func (u *Universe) All() iter.Seq[Schedule] {
	return func(yield func(Schedule) bool) {
		w := &walk{universe: u, slots: u.slots(), yield: yield}
		w.from(0)
	}
}

// slot is a set of units of which a schedule has at most one.
type slot struct {
	kind  Kind
	units []int
}

// slots returns the slots of all units.
func (u *Universe) slots() []slot {
	var slots []slot
	if u.crashes > 0 {
		for p := range u.n {
			slots = append(slots, slot{Crash, u.Crashes(p)})
		}
	}
	if u.isolations > 0 {
		for _, ph := range u.bounds.phases() {
			for p := range u.n {
				var units []int
				for start := ph.first; start <= ph.last; start++ {
					units = append(units, u.isolation(p, start))
				}
				slots = append(slots, slot{Isolate, units})
			}
		}
	}
	for i := range u.omissions {
		slots = append(slots, slot{Omit, []int{u.crashes + u.isolations + i}})
	}
	return slots
}

// budget returns how many slots of a kind a schedule may use.
func (u *Universe) budget(k Kind) int {
	return [...]int{u.bounds.Crashes, u.bounds.Isolations, u.bounds.Omissions}[k]
}

// walk is a depth-first walk over the ways to fill slots.
type walk struct {
	universe *Universe
	slots    []slot
	chosen   []int
	used     [Restart]int // by kind
	yield    func(Schedule) bool
}

// from fills slots i and later in every way; it returns false to stop.
func (w *walk) from(i int) bool {
	if i == len(w.slots) {
		return w.yield(w.universe.scheduleOf(w.chosen))
	}
	if !w.from(i + 1) {
		return false
	}
	s := w.slots[i]
	if limit := w.universe.budget(s.kind); limit != Unlimited && w.used[s.kind] == limit {
		return true
	}
	w.used[s.kind]++
	defer func() { w.used[s.kind]-- }()
	for _, unit := range s.units {
		w.chosen = append(w.chosen, unit)
		more := w.from(i + 1)
		w.chosen = w.chosen[:len(w.chosen)-1]
		if !more {
			return false
		}
	}
	return true
}

// scheduleOf returns the schedule of some units in normal form.
func (u *Universe) scheduleOf(units []int) Schedule {
	s := make(Schedule, len(units))
	for i, unit := range units {
		s[i] = u.Fault(unit)
	}
	slices.SortFunc(s, Fault.Compare)
	return s
}

// Random returns a schedule within the bounds. Few faults are about as likely
// as many.
func (u *Universe) Random(r *rand.Rand) Schedule {
	byKind := map[Kind][]slot{}
	for _, s := range u.slots() {
		byKind[s.kind] = append(byKind[s.kind], s)
	}
	var units []int
	for kind := Crash; kind < Restart; kind++ {
		slots := byKind[kind]
		most := len(slots)
		if limit := u.budget(kind); limit != Unlimited {
			most = min(most, limit)
		}
		count := r.IntN(most + 1)
		if few := 4; most > few && r.IntN(2) == 0 {
			count = r.IntN(few + 1)
		}
		for _, i := range r.Perm(len(slots))[:count] {
			options := slots[i].units
			units = append(units, options[r.IntN(len(options))])
		}
	}
	return u.scheduleOf(units)
}
