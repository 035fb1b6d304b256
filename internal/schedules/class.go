package schedules

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// space is a set of ways to have some faults, which are independent of those of other
// spaces.
type space interface {
	count() *big.Int // how many ways there are; one of them is without faults
	draw() part      // draws each way with the same probability
}

// class is the space of the faults of some kinds. Only its class knows how a kind of fault
// depends on others: by a common budget or a common target.
type class interface {
	space
	rows() []int          // of kinds; the class is drawn where the first of them that is possible is
	steps(w *walk) []step // the decisions that lead to each of the ways once
	limits() []limitOf    // the constraints that all of the ways meet
}

// classes returns the classes of faults that are possible, in the order in which they are
// drawn.
func (u *Universe) classes() (all []class) {
	possible := func(row int) bool { return u.sections[row].last > 0 }
	for row := range u.sections {
		if !possible(row) {
			continue
		}
		c := u.class(row)
		if rows := c.rows(); row == rows[slices.IndexFunc(rows, possible)] {
			all = append(all, c)
		}
	}
	return all
}

// class returns the class of a kind that is possible.
func (u *Universe) class(row int) class {
	possible := func(row int) bool { return u.sections[row].last > 0 }
	switch {
	case u.sections[row].chain:
		return classOfCrashes{u}
	case possible(partitions) && (row == isolations || row == partitions):
		return classOfSides{u}
	case possible(fast) && possible(slow) && (row == fast || row == slow):
		return classOfClocks{u}
	case u.anyLate() && (row == omissions || row == delays || row == duplicates):
		return classOfLate{u}
	default:
		return classOfOne{u, row}
	}
}

// spaces returns the spaces that are counted and drawn: the classes. If the bounds assume
// something about each round, one space replaces the classes of the faults on which that
// depends, unless it has too many schedules to be counted.
func (u *Universe) spaces() (all []space) {
	var decided []int // rows of kinds
	if u.meeting != nil && u.granted() != nil {
		decided = together
		all = append(all, spaceOfGranted{u.granted()})
	}
	for _, c := range u.classes() {
		if !slices.Contains(decided, c.rows()[0]) {
			all = append(all, c)
		}
	}
	return all
}

// classOfOne has the faults of one kind, and each slot has at most one.
type classOfOne struct {
	*Universe
	row int
}

func (c classOfOne) rows() []int { return []int{c.row} }

func (c classOfOne) count() *big.Int {
	s := &c.sections[c.row]
	return c.groups(s).using(s.budget)
}

func (c classOfOne) draw() part {
	s := &c.sections[c.row]
	return c.choices(s, s.budget)
}

func (c classOfOne) steps(w *walk) (all []step) {
	s := &c.sections[c.row]
	for i := range s.slots() {
		slot := s.slot(i)
		all = append(all, newStep(1, func(next int) bool { return w.fill(c.row, slot, next) }, c.row))
	}
	return all
}

func (c classOfOne) limits() []limitOf { return c.limitsOfSection(c.row) }

// Limit is a constraint on schedules within bounds: they have at most AtMost of the
// Units.
type Limit struct {
	Units  []int
	AtMost int
}

// limitOf is a constraint on the units of a row of kinds, or of several together.
type limitOf struct {
	row int
	Limit
}

// several is the row of a limit on the units of several rows.
const several = chosen + 1

// Limits returns the constraints of the bounds that exclude something. Besides, where
// there are restarts, the units of each Chain come in turn.
func (u *Universe) Limits() []Limit {
	var all []limitOf
	for _, c := range u.classes() {
		all = append(all, c.limits()...)
	}
	slices.SortStableFunc(all, func(a, b limitOf) int { return cmp.Compare(a.row, b.row) })
	var limits []Limit
	for _, l := range all {
		limits = append(limits, l.Limit)
	}
	return append(limits, u.limitOfJoins()...)
}

// limitsOfSection returns the limits of the slots that have several units, and the limit of
// the budget.
func (u *Universe) limitsOfSection(row int) (all []limitOf) {
	s := &u.sections[row]
	var units []int
	for i := range s.slots() {
		slot := s.slot(i).appendTo(nil)
		units = append(units, slot...)
		if len(slot) > 1 {
			all = append(all, limitOf{row, Limit{slot, 1}})
		}
	}
	slices.Sort(units)
	if s.budget != rounds.Unlimited && s.budget < s.slots() {
		all = append(all, limitOf{row, Limit{units, s.budget}})
	}
	return all
}

// apart limits the slots of two rows with the same target to one unit together.
func (u *Universe) apart(row, other int) (all []limitOf) {
	one, others := &u.sections[row], &u.sections[other]
	for i := range others.slots() {
		all = append(all, limitOf{several, Limit{others.slot(i).appendTo(one.slot(i).appendTo(nil)), 1}})
	}
	return all
}

// run returns count consecutive numbers from first on.
func run(first, count int) []int { return slot{first, 1, count}.appendTo(nil) }

// Count returns the number of schedules within b, or an upper bound of it if the Universe
// is not Exact.
func Count(b rounds.Bounds) *big.Int { return New(b).Count() }

// Exact tells whether Count is the number of schedules, and not only an upper bound.
func Exact(b rounds.Bounds) bool { return New(b).Exact() }

// Count returns the number of schedules, or an upper bound of it if the Universe is not
// Exact.
func (u *Universe) Count() *big.Int {
	total := big.NewInt(1)
	for _, s := range u.spaces() {
		total.Mul(total, s.count())
	}
	return total
}

// Exact tells whether Count is the number of schedules, and not only an upper bound:
// with assumptions about each round there can be too many to count.
func (u *Universe) Exact() bool { return u.meeting == nil || u.granted() != nil }
