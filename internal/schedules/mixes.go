package schedules

import (
	"iter"
	"math/big"
)

// mixesOf counts the ways to give 0, 1, 2, ... things, one after the other, a first or a
// second sort, with at most first and second of each. It ends when there are no ways any
// more. The numbers are valid until the next step.
//
// Each further thing doubles the ways, except for those that have used up a sort.
func mixesOf(first, second int) iter.Seq[*big.Int] {
	return func(yield func(*big.Int) bool) {
		ways, full := big.NewInt(1), [2]*choosing{newChoosing(first), newChoosing(second)}
		for n := 0; n <= first+second; n++ {
			if !yield(ways) {
				return
			}
			ways.Lsh(ways, 1)
			if n-first <= second { // as many of the first as there may be
				ways.Sub(ways, full[0].ways)
			}
			if n-second <= first {
				ways.Sub(ways, full[1].ways)
			}
			full[0].next()
			full[1].next()
		}
	}
}

// choosing is n over k, for one n after the other, from 0.
type choosing struct {
	n, k int
	ways *big.Int
}

func newChoosing(k int) *choosing { return &choosing{0, k, new(big.Int).Binomial(0, int64(k))} }

func (c *choosing) next() {
	c.n++
	if c.n <= c.k {
		c.ways.Binomial(int64(c.n), int64(c.k)) // 0, and 1 in the end
		return
	}
	c.ways.Mul(c.ways, big.NewInt(int64(c.n)))
	c.ways.Quo(c.ways, big.NewInt(int64(c.n-c.k)))
}
