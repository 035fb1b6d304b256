package schedules

import (
	"iter"
	"math/big"
)

// chainsByRestarts counts the ways in which a process with the given number of points
// within a round crashes and restarts in eot rounds: by the number of restarts, and by
// whether it is down in the end. Each crash has the given number of outcomes. The numbers
// are valid until the next step. Each further restart adds two rounds to a chain, one of
// which may be the round before it: see [ends].
func chainsByRestarts(eot, points, outcomes int) iter.Seq2[int, [2]*big.Int] {
	return func(yield func(int, [2]*big.Int) bool) {
		never := [2]*big.Int{big.NewInt(1), new(big.Int)}
		var all []*over // of each of the ends
		each := [2][]ends{endsOf(life{1, 0}, points), endsOf(life{1, 1}, points)}
		for down := range each {
			for _, e := range each[down] {
				count, same := e.places()
				all = append(all, newOver(eot+same, count))
			}
		}
		for _, e := range endsOf(life{0, 1}, points) {
			never[1].Add(never[1], e.ways(eot))
		}
		left := big.NewInt(int64(outcomes)) // to the power of the crashes
		never[1].Mul(never[1], left)
		if !yield(0, never) {
			return
		}
		between := big.NewInt(1) // (1+points) to the power of the crashes between the first and the last
		var term big.Int
		for restarts := 1; restarts <= eot; restarts++ {
			var ways [2]*big.Int
			i := 0
			for down := range each {
				ways[down] = new(big.Int)
				for _, e := range each[down] {
					ways[down].Add(ways[down], term.Mul(all[i].ways, e.atPoints()))
					all[i].next()
					i++
				}
				ways[down].Mul(ways[down], between)
				ways[down].Mul(ways[down], left)
				if down == 0 {
					left.Mul(left, big.NewInt(int64(outcomes)))
				}
			}
			if !yield(restarts, ways) {
				return
			}
			between.Mul(between, big.NewInt(int64(1+points)))
		}
	}
}

// over is n over m.
type over struct {
	n, m int
	ways *big.Int
}

func newOver(n, m int) *over {
	return &over{n, m, new(big.Int).Binomial(int64(n), int64(m))}
}

// next moves from n over m to n+1 over m+2.
func (o *over) next() {
	if o.n < o.m { // none, and for ever
		o.n, o.m = o.n+1, o.m+2
		return
	}
	o.ways.Mul(o.ways, big.NewInt(int64(o.n+1)*int64(o.n-o.m)))
	o.ways.Quo(o.ways, big.NewInt(int64(o.m+1)*int64(o.m+2)))
	o.n, o.m = o.n+1, o.m+2
}
