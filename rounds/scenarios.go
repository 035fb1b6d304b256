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

func (b Bounds) paused() *big.Int { return b.lasting(b.eachSince(), b.Pauses) }

// lasting counts the ways in which at most limit faults strike some things to the end of
// a phase, each from the round on since which it is there.
func (b Bounds) lasting(since []int, limit int) *big.Int {
	return using(b.lastingGroups(since, b.Period), limit)
}

// omitted counts the ways to have omissions, and with them delays and duplicates.
func (b Bounds) omitted() *big.Int {
	if b.Delays != 0 || b.Duplicates != 0 {
		return late.New(b.lateSlots()).Count()
	}
	return using(b.lastingGroups(b.losableSince(), 1), b.Omissions)
}

// group is a number of slots, each of which can be used in so many ways or not
// at all.
type group struct{ slots, ways int }

// using counts the ways to use at most limit slots of some groups, of which the first
// is the largest.
func using(groups []group, limit int) *big.Int {
	all := 0
	for _, g := range groups {
		all += g.slots
	}
	total := big.NewInt(1)
	if limit == Unlimited || limit >= all {
		for _, g := range groups {
			total.Mul(total, g.all())
		}
		return total
	}
	others := exactly(groups[1:], limit)
	sum, upTo, one := new(big.Int), new(big.Int), big.NewInt(1)
	var term big.Int
	for k := 0; k <= limit; k++ {
		upTo.Add(upTo, one) // the ways to use at most k slots of the largest group
		if left := limit - k; left < len(others) {
			sum.Add(sum, term.Mul(upTo, others[left]))
		}
		groups[0].next(one, k)
	}
	return sum
}

// exactly counts the ways to use exactly 0, 1, ... most slots of some groups.
func exactly(groups []group, most int) []*big.Int {
	counts := []*big.Int{big.NewInt(1)}
	for _, g := range groups {
		counts = times(counts, g.using(min(g.slots, most)), most)
	}
	return counts
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
