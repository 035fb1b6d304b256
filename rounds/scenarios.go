package rounds

import (
	"math/big"
	"slices"

	"github.com/lineage-driven/ldfi/internal/late"
)

// Scenarios returns the number of schedules within the bounds; unless it is Exact,
// there are at most so many.
func (b Bounds) Scenarios() *big.Int {
	b = b.Normal().inPhases()
	if b.grants() {
		if granted := b.granted(); granted != nil {
			return granted.Mul(granted, b.product(func(k Kind) bool { return !slices.Contains(together, k) }))
		}
	}
	return b.product(func(Kind) bool { return true })
}

// product returns the number of ways to have faults of some kinds, which do not
// depend on each other.
func (b Bounds) product(of func(Kind) bool) *big.Int {
	total := big.NewInt(1)
	for i, row := range kindTable {
		if row.bound.count != nil && of(Kind(i)) {
			total.Mul(total, row.bound.count(b))
		}
	}
	return total
}

// Exact tells whether Scenarios is the number of schedules, and not one that they do
// not exceed.
func (b Bounds) Exact() bool {
	b = b.Normal()
	return !b.grants() || b.granted() != nil
}

func (b Bounds) paused() *big.Int { return b.lasting(len(b.Processes), b.Pauses) }

// lasting counts the ways in which at most limit faults strike n processes to the
// end of a phase.
func (b Bounds) lasting(n, limit int) *big.Int {
	losses := max(b.LastLoss(), 0)
	return choices(group{n * (losses / b.Period), b.Period}, group{n, losses % b.Period}, limit)
}

// omitted counts the ways to have omissions, and with them delays and duplicates.
func (b Bounds) omitted() *big.Int {
	if b.Delays != 0 || b.Duplicates != 0 {
		return late.New(b.lateSlots()).Count()
	}
	if b.Joins != nil {
		return b.lastingSince(b.losableSince(), 1, b.Omissions)
	}
	return choices(group{b.losable() * max(b.LastLoss(), 0), 1}, group{}, b.Omissions)
}

// group is a number of slots, each of which can be used in so many ways or not
// at all.
type group struct{ slots, ways int }

// choices counts the ways to use at most limit slots of two groups, the second
// of which is small.
func choices(large, small group, limit int) *big.Int {
	if limit == Unlimited || limit >= large.slots+small.slots {
		return new(big.Int).Mul(large.all(), small.all())
	}
	others := small.using(min(small.slots, limit))
	total, upTo, exactly := new(big.Int), new(big.Int), big.NewInt(1)
	var term big.Int
	for k := 0; k <= limit; k++ {
		upTo.Add(upTo, exactly) // the ways to use at most k slots of the large group
		if left := limit - k; left < len(others) {
			total.Add(total, term.Mul(upTo, others[left]))
		}
		large.next(exactly, k)
	}
	return total
}

// all counts the ways to use any number of the slots.
func (g group) all() *big.Int {
	ways := big.NewInt(int64(g.ways) + 1)
	return ways.Exp(ways, big.NewInt(int64(g.slots)), nil)
}

// using counts the ways to use exactly 0, 1, ... most of the slots.
func (g group) using(most int) []*big.Int {
	counts := []*big.Int{big.NewInt(1)}
	for k := range most {
		counts = append(counts, g.next(new(big.Int).Set(counts[k]), k))
	}
	return counts
}

// next turns the number of ways to use exactly k slots into that for k+1: they
// are binomial coefficients times powers of the ways.
func (g group) next(exactly *big.Int, k int) *big.Int {
	exactly.Mul(exactly, big.NewInt(int64(g.slots-k)*int64(g.ways)))
	return exactly.Div(exactly, big.NewInt(int64(k)+1))
}
