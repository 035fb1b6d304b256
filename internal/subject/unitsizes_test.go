package subject

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/stretchr/testify/require"
)

// handed returns the parts that a search of so many executions is handed out in, each of
// which takes that long. They come back in any order.
func handed(r *rand.Rand, first, all int, each func(i int) time.Duration) []search.Part {
	l := newUnitSizes(first)
	var parts, waiting []search.Part
	for next := first; next < all; {
		p, ok := l.part(next)
		if ok {
			p.End = min(p.End, all)
			parts, waiting = append(parts, p), append(waiting, p)
			next = p.End
		}
		if len(waiting) > 0 && (!ok || r.IntN(2) == 0) {
			i := r.IntN(len(waiting))
			took := time.Duration(0)
			for e := waiting[i].First; e < waiting[i].End; e++ {
				took += each(e)
			}
			l.note(waiting[i], took)
			waiting = slices.Delete(waiting, i, i+1)
		}
	}
	return parts
}

// All executions are in one unit, which begins at a multiple of its size, and takes some
// seconds.
func TestUnitSizes(t *testing.T) {
	for _, each := range []time.Duration{time.Microsecond, 90 * time.Microsecond, 3 * time.Millisecond, time.Second, time.Minute} {
		r := rand.New(rand.NewPCG(2, 2))
		for _, first := range []int{1, 4, 64, 1024} {
			all := max(first+10, int(2*time.Minute/each))
			next, long := first, 0
			parts := handed(r, first, all, func(int) time.Duration { return each })
			for i, p := range parts {
				require.Equal(t, next, p.First)
				size := p.End - p.First
				if i < len(parts)-1 {
					require.Zero(t, p.First%size)
					require.Zero(t, size&(size-1))
				}
				if time.Duration(size)*each > time.Second {
					long += size
				}
				if i > 2 { // the first ones are as large as what was made here
					require.LessOrEqual(t, time.Duration(size)*each, max(unitTime, each))
				}
				next = p.End
			}
			require.Equal(t, all, next)
			if all-first > 1000 {
				require.Greater(t, long, (all-first)*3/4, "%v from %d", each, first)
			}
		}
	}
}

// Who asks again, when what is kept of units comes back in another order, comes to the
// same units.
func TestUnitSizesAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		seed, all, slowest := r.Uint64(), 1+r.IntN(100_000), 1+r.IntN(int(20*time.Millisecond))
		each := func(i int) time.Duration {
			return time.Duration(rand.New(rand.NewPCG(seed, uint64(i))).IntN(slowest))
		}
		require.Equal(t, handed(r, 16, all, each), handed(r, 16, all, each))
	}
}

func TestStepOf(t *testing.T) {
	for n, step := range map[int]int{1: 1, 3: 1, 4: 4, 15: 4, 16: 16, 63: 16, 64: 64, 1 << 20: 1 << 20, 1<<22 - 1: 1 << 20} {
		require.Equal(t, step, stepOf(n), n)
	}
}
