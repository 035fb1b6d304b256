package schedules

import (
	"iter"
	"math/big"
)

// lateTable counts ways by the number of used slots: the row is that of single ones, the
// place that of both.
type lateTable [][]*big.Int

// most returns the most slots that can be used.
func (w *lateWays) most() lateUsed {
	switch {
	case w.Free:
		return lateUsed{w.late, 0}
	case w.Delays == 0:
		return lateUsed{w.limit(w.Duplicates), 0}
	case w.Duplicates == 0:
		return lateUsed{w.limit(w.Delays), 0}
	}
	delays, duplicates := w.limit(w.Delays), w.limit(w.Duplicates)
	return lateUsed{min(w.late, delays+duplicates), min(delays, duplicates)}
}

// from counts the ways to use slots of the classes from class on.
func (w *lateWays) from(class int) lateTable {
	if w.tables == nil {
		w.count()
	}
	return w.tables[class]
}

// count makes the tables, that of no classes first.
func (w *lateWays) count() {
	most := w.most()
	w.tables = make([]lateTable, len(w.Classes)+1)
	w.tables[len(w.Classes)] = lateTable{{big.NewInt(1)}}
	for i := len(w.Classes) - 1; i >= 0; i-- {
		w.tables[i] = w.Classes[i].before(w.tables[i+1], most)
	}
}

// before counts the ways to use slots of a class and of the classes after it.
func (c *lateClass) before(behind lateTable, most lateUsed) lateTable {
	var t lateTable
	var term big.Int
	for used, ways := range c.using(most) {
		for more, others := range behind.all() {
			one, both := used.Single+more.Single, used.Both+more.Both
			if both > most.Both || one+both > most.Single {
				continue
			}
			for len(t) <= one {
				t = append(t, nil)
			}
			for len(t[one]) <= both {
				t[one] = append(t[one], new(big.Int))
			}
			t[one][both].Add(t[one][both], term.Mul(ways, others))
		}
	}
	return t
}

// using counts the ways to use slots of a class.
func (c *lateClass) using(most lateUsed) iter.Seq2[lateUsed, *big.Int] {
	return func(yield func(lateUsed, *big.Int) bool) {
		row := big.NewInt(1)
		for both := 0; both <= min(most.Both, c.slots); both++ {
			ways, left := new(big.Int).Set(row), c.slots-both
			for one := 0; one <= min(most.Single-both, left); one++ {
				if !yield(lateUsed{one, both}, ways) {
					return
				}
				ways.Mul(ways, big.NewInt(int64(left-one)*int64(c.single)))
				ways.Quo(ways, big.NewInt(int64(one)+1))
			}
			row.Mul(row, big.NewInt(int64(left)*int64(c.both)))
			row.Quo(row, big.NewInt(int64(both)+1))
		}
	}
}

// all yields the entries that are not 0.
func (t lateTable) all() iter.Seq2[lateUsed, *big.Int] {
	return func(yield func(lateUsed, *big.Int) bool) {
		for one, row := range t {
			for both, ways := range row {
				if ways.Sign() > 0 && !yield(lateUsed{one, both}, ways) {
					return
				}
			}
		}
	}
}

// Splits counts the ways to use an exact number of slots of the classes from class on, by
// the slots of the class itself.
func (w *lateWays) Splits(class int, used lateUsed) iter.Seq2[lateUsed, *big.Int] {
	return func(yield func(lateUsed, *big.Int) bool) {
		behind := w.from(class + 1)
		var product big.Int
		for here, ways := range w.Classes[class].using(lateUsed{used.Slots(), used.Both}) {
			one, both := used.Single-here.Single, used.Both-here.Both
			if one < 0 || both < 0 || one >= len(behind) || both >= len(behind[one]) || behind[one][both].Sign() == 0 {
				continue
			}
			if !yield(here, product.Mul(ways, behind[one][both])) {
				return
			}
		}
	}
}
