package schedules

import (
	"iter"
	"math/big"
	"math/rand/v2"
	"slices"
)

// Numbers are random numbers.
type Numbers interface {
	IntN(n int) int // below n, each as likely as any other
}

// Chance makes random choices.
type Chance interface {
	Numbers
	Pick(w *Weights) int // the place of one of the weights, each as likely as it is large
}

// Weights are large numbers, in proportion to which one of several things is
// chosen, exactly.
type Weights struct {
	each   iter.Seq[*big.Int]
	total  *big.Int
	starts []uint64 // where the share of each begins in [0,1): the first 64 binary places
}

// NewWeights returns weights above 0. They are asked for more than once, and not
// kept: they can be many, and long.
func NewWeights(each iter.Seq[*big.Int]) *Weights {
	w := &Weights{each: each, total: new(big.Int)}
	for weight := range each {
		w.total.Add(w.total, weight)
	}
	sum, start := new(big.Int), new(big.Int)
	for weight := range each {
		w.starts = append(w.starts, start.Quo(start.Lsh(sum, 64), w.total).Uint64())
		sum.Add(sum, weight)
	}
	return w
}

// All returns the weights, each valid until the next.
func (w *Weights) All() iter.Seq[*big.Int] { return w.each }

// Total returns their sum.
func (w *Weights) Total() *big.Int { return w.total }

// place returns in whose share a number below the total lies.
func (w *Weights) place(n *big.Int) int {
	sum, place := new(big.Int), 0
	for weight := range w.each {
		if sum.Add(sum, weight); sum.Cmp(n) > 0 {
			break
		}
		place++
	}
	return place
}

// Dice make choices by random numbers.
type Dice struct{ *rand.Rand }

// Pick draws the binary places of a number in [0,1), as many as it takes to know
// in whose share it lies: nearly always the first 64.
func (d Dice) Pick(w *Weights) int {
	first := d.Uint64()
	i, tied := slices.BinarySearch(w.starts, first)
	if !tied {
		return i - 1
	}
	low, places := new(big.Int).SetUint64(first), uint(64)
	for {
		places += 64
		low.Add(low.Lsh(low, 64), new(big.Int).SetUint64(d.Uint64()))
		if from, to := w.between(low, places); from == to {
			return from
		}
	}
}

// between returns in whose shares the numbers lie that begin with these binary
// places: the first and the last of them.
func (w *Weights) between(low *big.Int, places uint) (from, to int) {
	begin := new(big.Int).Mul(low, w.total)
	end := new(big.Int).Add(begin, w.total)
	end.Sub(end, big.NewInt(1)) // the numbers are below it
	return w.place(begin.Rsh(begin, places)), w.place(end.Rsh(end, places))
}
