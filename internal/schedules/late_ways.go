package schedules

import (
	"iter"
	"math/big"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// lateSlots are the links and rounds whose messages can be struck, and the limits of the
// faults of each kind.
type lateSlots struct {
	Links                         []int // by round, from the first on: the number of links whose messages can be struck
	Later                         []int // and the most rounds by which they can be late
	Omissions, Delays, Duplicates int
	Ways                          int // to lose the messages of a link: all, or those of one kind
}

// lateWays counts the ways to strike slots, by the number of used slots without lost ones:
// any of the other slots can be lost.
type lateWays struct {
	lateSlots
	Classes []lateClass
	Free    bool // each slot can be late and come twice, however many others are and do
	late    int  // slots that can be
	tables  []lateTable
}

// lateClass has the slots whose messages can come later by the same number of rounds.
type lateClass struct {
	Later  int
	slots  int
	single int // in how many ways a slot is late or comes twice; where Free, or both
	both   int
}

// lateUsed has the numbers of used slots: late or duplicated, and late and duplicated.
type lateUsed struct{ Single, Both int }

// Slots returns the number of used slots.
func (u lateUsed) Slots() int { return u.Single + u.Both }

// newLateWays returns the ways to strike slots.
func newLateWays(s lateSlots) *lateWays {
	w := &lateWays{lateSlots: s}
	for i, later := range s.Later {
		if later == 0 {
			continue
		}
		c := slices.IndexFunc(w.Classes, func(c lateClass) bool { return c.Later == later })
		if c < 0 {
			c = len(w.Classes)
			w.Classes = append(w.Classes, lateClass{Later: later})
		}
		w.Classes[c].slots += s.Links[i]
		w.late += s.Links[i]
	}
	w.Free = w.enough(s.Delays) && w.enough(s.Duplicates)
	for i := range w.Classes {
		c := &w.Classes[i]
		c.single, c.both = c.Later, c.Later*c.Later
		if w.Free {
			c.single, c.both = w.uses(c.Later), 0
		}
	}
	return w
}

// enough tells whether a budget never limits anything, such as a budget for slots that do
// not exist.
func (w *lateWays) enough(budget int) bool {
	return budget == rounds.Unlimited || budget == 0 || budget >= w.late
}

// uses returns the number of ways to use a slot.
func (w *lateWays) uses(later int) int {
	uses := 0
	if w.Delays != 0 {
		uses = later
	}
	if w.Duplicates != 0 {
		uses = (uses+1)*(later+1) - 1
	}
	return uses
}

// Total returns the number of slots.
func (w *lateWays) Total() int {
	total := 0
	for _, links := range w.Links {
		total += links
	}
	return total
}

// Independent tells whether there is no limit on the number of struck slots.
func (w *lateWays) Independent() bool {
	return w.Free && (w.Omissions == rounds.Unlimited || w.Omissions == 0 || w.Omissions >= w.Total())
}

// Uses returns the number of ways to strike a slot of a round other than by a loss, if each
// way is possible on its own.
func (w *lateWays) Uses(round int) int { return w.uses(w.Later[round-1]) }

// Count counts all ways.
func (w *lateWays) Count() *big.Int {
	total := new(big.Int)
	if w.Independent() {
		return w.independent(total)
	}
	for _, ways := range w.All() {
		total.Add(total, ways)
	}
	return total
}

func (w *lateWays) independent(total *big.Int) *big.Int {
	lost := w.Ways
	if w.Omissions == 0 {
		lost = 0
	}
	total.SetInt64(1)
	var power big.Int
	for round := range w.Later {
		power.SetInt64(int64(1 + lost + w.Uses(round+1)))
		total.Mul(total, power.Exp(&power, big.NewInt(int64(w.Links[round])), nil))
	}
	return total
}

// All counts the ways by the numbers of used slots, each number valid until the next.
func (w *lateWays) All() iter.Seq2[lateUsed, *big.Int] {
	return func(yield func(lateUsed, *big.Int) bool) {
		var product big.Int
		lost := map[int]*big.Int{}
		for used, ways := range w.from(0).all() {
			if lost[used.Slots()] == nil {
				lost[used.Slots()] = w.losses(used.Slots())
			}
			product.Mul(ways, lost[used.Slots()])
			if product.Mul(&product, w.kinds(used)); product.Sign() > 0 && !yield(used, &product) {
				return
			}
		}
	}
}

// losses counts the ways to lose some of the other slots if used slots are used.
func (w *lateWays) losses(used int) *big.Int {
	if w.Omissions == rounds.Unlimited || w.Omissions >= w.Total() {
		return slots{w.Total() - used, w.Ways}.all()
	}
	total := new(big.Int)
	for _, ways := range w.Lost(used) {
		total.Add(total, ways)
	}
	return total
}

// Lost yields each number of slots that can be lost besides used other ones, with the
// number of ways to choose them. The bounds limit the omissions.
func (w *lateWays) Lost(used int) iter.Seq2[int, *big.Int] {
	return func(yield func(int, *big.Int) bool) {
		left, ways := w.Total()-used, big.NewInt(1)
		for lost := 0; lost <= min(left, w.Omissions) && yield(lost, ways); lost++ {
			ways.Mul(ways, big.NewInt(int64(left-lost)*int64(w.Ways)))
			ways.Quo(ways, big.NewInt(int64(lost)+1))
		}
	}
}

// kinds counts the ways to tell which of the slots used once are late, and which
// come twice.
func (w *lateWays) kinds(used lateUsed) *big.Int {
	total := new(big.Int)
	for _, ways := range w.Late(used) {
		total.Add(total, ways)
	}
	return total
}

// Late yields the possible numbers of late slots, each with the number of ways. For Free
// slots it yields one number, for all ways.
func (w *lateWays) Late(used lateUsed) iter.Seq2[int, *big.Int] {
	return func(yield func(int, *big.Int) bool) {
		switch {
		case w.Free || w.Delays == 0:
			yield(0, big.NewInt(1))
			return
		case w.Duplicates == 0:
			yield(used.Single, big.NewInt(1))
			return
		}
		delays, duplicates := w.limit(w.Delays)-used.Both, w.limit(w.Duplicates)-used.Both
		for late := max(0, used.Single-duplicates); late <= min(delays, used.Single); late++ {
			if !yield(late, new(big.Int).Binomial(int64(used.Single), int64(late))) {
				return
			}
		}
	}
}

// limit returns a budget as a number.
func (w *lateWays) limit(budget int) int {
	if budget == rounds.Unlimited {
		return w.late
	}
	return min(budget, w.late)
}
