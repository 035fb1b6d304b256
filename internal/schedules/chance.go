package schedules

import (
	"iter"
	"math/big"
	"math/rand/v2"
	"slices"
)

// Numbers is a source of random numbers.
type Numbers interface {
	IntN(n int) int // a uniformly distributed number from 0 to n-1
}

// Chance makes random choices.
type Chance interface {
	Numbers
	Pick(w *Weights) int // the index of a weight, drawn in proportion to the weights
}

// Weights are large numbers, in exact proportion to which Chance picks one of several
// things.
type Weights struct {
	each   iter.Seq[*big.Int]
	total  *big.Int
	starts []uint64 // where the share of each begins in [0,1): the first 64 binary places
}

// NewWeights returns the weights of each, which are above 0. It iterates over each more
// than once and stores no weights, because they can be many, and long.
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

// All yields the weights, each valid until the next.
func (w *Weights) All() iter.Seq[*big.Int] { return w.each }

// Total returns their sum.
func (w *Weights) Total() *big.Int { return w.total }

// place returns the index of the share that contains n, a number below the total.
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

// Dice makes choices by random numbers.
type Dice struct{ *rand.Rand }

// Pick draws the binary digits of a number in [0,1), as many as are needed to tell the
// share that it lies in: nearly always the first 64.
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

// between returns the first and the last index of the shares that contain numbers with the
// first binary places low.
func (w *Weights) between(low *big.Int, places uint) (from, to int) {
	begin := new(big.Int).Mul(low, w.total)
	end := new(big.Int).Add(begin, w.total)
	end.Sub(end, big.NewInt(1)) // the numbers are below it
	return w.place(begin.Rsh(begin, places)), w.place(end.Rsh(end, places))
}
