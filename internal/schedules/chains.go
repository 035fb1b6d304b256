package schedules

import (
	"iter"
	"math/big"
)

// chainsByRestarts counts in how many ways a process with so many points within a round
// crashes and restarts: by how often it restarts, and by whether it is down in the
// end. Of each crash there are so many outcomes. The numbers are valid until the next.
//
// Such a chain is rounds in order. Between a crash and its restart the round may
// stay the same, unless the crash is at a point; between a restart and the next
// crash it may if that is at a point. Of m rounds in order, w of which may be
// those before them, there are eot+w over m. So of a crash between two restarts it
// makes no difference which of 1+points it is, and only the first and the last
// have to be told apart.
func chainsByRestarts(eot, points, outcomes int) iter.Seq2[int, [2]*big.Int] {
	return func(yield func(int, [2]*big.Int) bool) {
		if !yield(0, [2]*big.Int{big.NewInt(1), big.NewInt(int64(eot) * int64(1+points) * int64(outcomes))}) {
			return
		}
		k := big.NewInt(int64(points))
		between := big.NewInt(1) // (1+points) to the power of the crashes between the first and the last
		left := big.NewInt(1)    // outcomes to the power of the crashes
		each := big.NewInt(int64(outcomes))
		// By how many more or fewer rounds may be the same, and how many rounds there are.
		back := [2]*over{newOver(eot, 2), newOver(eot+1, 2)} // first crash: at a point, plain
		gone := [3]*over{newOver(eot, 3), newOver(eot+1, 3), newOver(eot+2, 3)}
		var term big.Int
		for restarts := 1; restarts <= eot; restarts++ {
			up := new(big.Int).Mul(k, back[0].ways)
			up.Mul(up.Add(up, back[1].ways), between)
			down := new(big.Int).Mul(k, gone[0].ways)              // at a point, then plain
			down.Add(down, gone[1].ways)                           // both plain
			down.Add(down, term.Mul(k, term.Mul(k, gone[1].ways))) // both at a point
			down.Add(down, term.Mul(k, gone[2].ways))              // plain, then at a point
			down.Mul(down, between)
			up.Mul(up, left.Mul(left, each))     // a crash for each restart,
			down.Mul(down, term.Mul(left, each)) // and one more
			if !yield(restarts, [2]*big.Int{up, down}) {
				return
			}
			between.Mul(between, big.NewInt(int64(1+points)))
			for _, o := range back {
				o.next()
			}
			for _, o := range gone {
				o.next()
			}
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

// next goes on to n+1 over m+2.
func (o *over) next() {
	if o.n < o.m { // none, and for ever
		o.n, o.m = o.n+1, o.m+2
		return
	}
	o.ways.Mul(o.ways, big.NewInt(int64(o.n+1)*int64(o.n-o.m)))
	o.ways.Quo(o.ways, big.NewInt(int64(o.m+1)*int64(o.m+2)))
	o.n, o.m = o.n+1, o.m+2
}
