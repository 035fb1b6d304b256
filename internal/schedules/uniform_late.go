package schedules

import (
	"math/big"
	"slices"
)

// classOfLate has the faults of the messages of a link in a round that make them lost,
// late, or come twice: lost messages are neither late nor come twice.
type classOfLate struct{ *Universe }

func (c classOfLate) rows() []int { return []int{delays, duplicates, omissions} }

func (c classOfLate) count() *big.Int { return newLateWays(c.lateSlotsOf()).Count() }
func (c classOfLate) draw() part      { return newLate(c.Universe) }

func (c classOfLate) steps(w *walk) (all []step) {
	for i := range c.lateSlots() {
		all = append(all, newStep(2, func(next int) bool { return w.late(i, next) }, omissions, delays, duplicates))
	}
	return all
}

func (c classOfLate) limits() []limitOf {
	all := slices.Concat(c.limitsOfSection(omissions), c.limitsOfSection(delays), c.limitsOfSection(duplicates))
	if c.sections[omissions].last > 0 {
		all = slices.Concat(all, c.apart(omissions, delays), c.apart(omissions, duplicates))
	}
	return all
}

// lateDraw draws messages lost, late or duplicated: first the number of slots that are late
// or duplicated, then which slots and how, and then the number of lost ones among the
// others and which. Each is drawn in proportion to the number of ways.
type lateDraw struct {
	universe *Universe
	ways     *lateWays
	slots    []int   // the slots that can be struck
	classes  [][]int // these slots by class
	numbers  []lateUsed
	weights  *Weights // of numbers; nil: every slot is on its own
}

func newLate(u *Universe) *lateDraw {
	l := &lateDraw{universe: u, ways: newLateWays(u.lateSlotsOf())}
	l.classes = make([][]int, len(l.ways.Classes))
	for slot := range u.lateSlots() {
		if !u.strikable(slot) {
			continue
		}
		l.slots = append(l.slots, slot)
		later := l.ways.Later[l.round(slot)-1]
		if i := slices.IndexFunc(l.ways.Classes, func(c lateClass) bool { return c.Later == later }); i >= 0 {
			l.classes[i] = append(l.classes[i], slot)
		}
	}
	if !l.ways.Independent() {
		l.numbers, l.weights = weighed(l.ways.All())
	}
	return l
}

// strikable tells whether a slot can be struck: its sender and its receiver have joined.
func (u *Universe) strikable(slot int) bool {
	for _, row := range [...]int{omissions, delays, duplicates} {
		if s, ok := u.slotOf(row, slot); ok {
			return u.Alive(s.first)
		}
	}
	return false
}

// round returns the round of a slot.
func (l *lateDraw) round(slot int) int {
	s := &l.universe.sections[l.universe.firstLate()]
	return slot/s.width + 1 + s.phasesBefore()
}

// lateSlotsOf returns the slots of messages lost, late or duplicated.
func (u *Universe) lateSlotsOf() lateSlots {
	s := &u.sections[u.firstLate()]
	slots := lateSlots{Omissions: u.bounds.Omissions, Delays: u.bounds.Delays, Duplicates: u.bounds.Duplicates, Ways: 1 + len(u.ofKinds)}
	before := s.phasesBefore()
	for round := range u.bounds.LastLoss() {
		later, links := 0, 0
		for slot := (round - before) * s.width; slot < (round-before+1)*s.width && round >= before; slot++ {
			if u.strikable(slot) {
				links++
			}
		}
		if before <= round && round-before < s.phases() {
			later = s.starts[round+1] - s.starts[round]
		}
		slots.Links, slots.Later = append(slots.Links, links), append(slots.Later, later)
	}
	return slots
}

func (l *lateDraw) draw(c Chance, units []int) []int {
	if l.weights == nil {
		return l.any(c, units)
	}
	left := l.numbers[c.Pick(l.weights)]
	var once, both, used []int // slots
	for i := range l.ways.Classes {
		here := l.here(c, i, left)
		left.Single, left.Both = left.Single-here.Single, left.Both-here.Both
		slots := l.sample(c, i, here.Slots())
		used = append(used, slots...)
		for _, k := range Sample(c, len(slots), here.Both) {
			both = append(both, slots[k])
			slots[k] = -1
		}
		once = append(once, slices.DeleteFunc(slots, func(slot int) bool { return slot < 0 })...)
	}
	units = l.once(c, units, once, len(both))
	for _, slot := range both {
		units = append(units, l.unit(c, delays, slot), l.unit(c, duplicates, slot))
	}
	return l.lose(c, units, used)
}

// here draws the number of slots of a class among those left.
func (l *lateDraw) here(c Chance, class int, left lateUsed) lateUsed {
	if class == len(l.ways.Classes)-1 {
		return left
	}
	numbers, weights := weighed(l.ways.Splits(class, left))
	return numbers[c.Pick(weights)]
}

// sample draws slots of a class.
func (l *lateDraw) sample(c Chance, class, count int) []int {
	slots := Sample(c, len(l.classes[class]), count)
	for i, k := range slots {
		slots[i] = l.classes[class][k]
	}
	return slots
}

// once appends units of slots that are late or duplicated, if both other slots are late and
// duplicated.
func (l *lateDraw) once(c Chance, units, slots []int, both int) []int {
	if l.ways.Free {
		for _, slot := range slots {
			units = l.use(c, units, slot, 1+c.IntN(l.ways.Uses(l.round(slot))))
		}
		return units
	}
	numbers, weights := weighed(l.ways.Late(lateUsed{Single: len(slots), Both: both}))
	isLate := make([]bool, len(slots))
	if number := numbers[c.Pick(weights)]; l.ways.Delays != 0 {
		for _, i := range Sample(c, len(slots), number) {
			isLate[i] = true
		}
	}
	for i, slot := range slots {
		row := duplicates
		if isLate[i] {
			row = delays
		}
		units = append(units, l.unit(c, row, slot))
	}
	return units
}

// unit returns any unit of a slot.
func (l *lateDraw) unit(c Chance, row, i int) int {
	slot := l.universe.sections[row].slot(i)
	return slot.unit(c.IntN(slot.size))
}

// use appends the units of a slot, by a number: nothing at 0, then each length of a delay,
// and with each of these no duplicate or one of each length.
func (l *lateDraw) use(_ Chance, units []int, i, use int) []int {
	one, _ := l.universe.slotOf(delays, i)
	two, _ := l.universe.slotOf(duplicates, i)
	if by := use % (one.size + 1); by > 0 {
		units = append(units, one.unit(by-1))
	}
	if by := use / (one.size + 1); by > 0 {
		units = append(units, two.unit(by-1))
	}
	return units
}

// lose appends losses of slots that are not used.
func (l *lateDraw) lose(c Chance, units, used []int) []int {
	s := &l.universe.sections[omissions]
	if s.last == 0 {
		return units
	}
	slices.Sort(used)
	free := l.ways.Total() - len(used)
	if s.budget < 0 || s.budget >= l.ways.Total() {
		for _, slot := range l.slots {
			if _, isUsed := slices.BinarySearch(used, slot); !isUsed {
				if way := c.IntN(1 + l.ways.Ways); way < l.ways.Ways {
					units = append(units, s.slot(slot).unit(way))
				}
			}
		}
		return units
	}
	numbers, weights := weighed(l.ways.Lost(len(used)))
	lost := Sample(c, free, numbers[c.Pick(weights)])
	slices.Sort(lost)
	before := 0 // slots that are used and smaller
	for _, place := range lost {
		for before < len(used) && used[before] <= l.slots[place+before] {
			before++
		}
		way := 0
		if l.ways.Ways > 1 {
			way = c.IntN(l.ways.Ways)
		}
		units = append(units, s.slot(l.slots[place+before]).unit(way))
	}
	return units
}

// any draws each slot on its own.
func (l *lateDraw) any(c Chance, units []int) []int {
	s := &l.universe.sections[omissions]
	for _, slot := range l.slots {
		uses := 1 + l.ways.Uses(l.round(slot))
		if s.last == 0 {
			units = l.use(c, units, slot, c.IntN(uses))
			continue
		}
		if use := c.IntN(uses + l.ways.Ways); use < uses {
			units = l.use(c, units, slot, use)
		} else {
			units = append(units, s.slot(slot).unit(use-uses))
		}
	}
	return units
}
