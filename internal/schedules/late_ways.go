package schedules

import (
	"iter"
	"math/big"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// lateSlots are the links and rounds whose messages can be struck, and how many faults
// of each kind there can be.
type lateSlots struct {
	Links                         []int // by round, from the first on: on so many links something can be struck
	Later                         []int // and comes later by at most so many rounds
	Omissions, Delays, Duplicates int
}

// lateWays counts the ways to strike slots. They are told apart by how many are used,
// not counting those that are lost: which are lost is any choice of the others.
type lateWays struct {
	lateSlots
	Classes []lateClass
	Free    bool // each slot can be late and come twice, however many others are and do
	late    int  // slots that can be
	tables  []lateTable
}

// lateClass is the slots whose messages can come later by as many rounds.
type lateClass struct {
	Later  int
	slots  int
	single int // in how many ways a slot is late or comes twice; where Free, or both
	both   int
}

// lateUsed is how many slots are used: late or twice, and late and twice.
type lateUsed struct{ Single, Both int }

// Slots returns how many these are.
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

// enough tells whether a budget never limits anything, as that of what there is
// not.
func (w *lateWays) enough(budget int) bool {
	return budget == rounds.Unlimited || budget == 0 || budget >= w.late
}

// uses returns in how many ways a slot is used.
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

// Total returns how many slots there are.
func (w *lateWays) Total() int {
	total := 0
	for _, links := range w.Links {
		total += links
	}
	return total
}

// Independent tells whether nothing limits how many slots are struck.
func (w *lateWays) Independent() bool {
	return w.Free && (w.Omissions == rounds.Unlimited || w.Omissions == 0 || w.Omissions >= w.Total())
}

// Uses returns in how many ways a slot of a round can be struck but by a loss, where
// each can be on its own.
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
	lost := 1
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

// All counts the ways by how many slots are used, each number valid until the next.
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

// losses counts the ways to lose some of the slots that are left when so many are
// used.
func (w *lateWays) losses(used int) *big.Int {
	if w.Omissions == rounds.Unlimited || w.Omissions >= w.Total() {
		return new(big.Int).Lsh(big.NewInt(1), uint(w.Total()-used))
	}
	total := new(big.Int)
	for _, ways := range w.Lost(used) {
		total.Add(total, ways)
	}
	return total
}

// Lost yields each number of slots that can be lost beside used other ones, with the number
// of ways to choose them. The bounds limit how many omissions there are.
func (w *lateWays) Lost(used int) iter.Seq2[int, *big.Int] {
	return func(yield func(int, *big.Int) bool) {
		left, ways := w.Total()-used, big.NewInt(1)
		for lost := 0; lost <= min(left, w.Omissions) && yield(lost, ways); lost++ {
			ways.Mul(ways, big.NewInt(int64(left-lost)))
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

// Late does so by how many are late; of Free slots that is not told here.
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
