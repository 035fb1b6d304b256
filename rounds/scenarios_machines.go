package rounds

import (
	"math/big"

	"github.com/lineage-driven/ldfi/internal/chains"
)

// jumped counts the ways in which clocks jump.
func (b Bounds) jumped() *big.Int {
	if b.Jumps == 0 {
		return big.NewInt(1)
	}
	return using([]group{{b.strikable(b.eachSince()), b.MaxJump}}, b.Jumps)
}

// failed counts the ways in which syncs fail.
func (b Bounds) failed() *big.Int {
	return using([]group{{b.strikable(b.eachSince()), 1}}, b.FailedSyncs)
}

// misclocked counts the ways in which clocks run fast and slow: of one process in
// a phase one of both at most. Which are fast of so many that run wrong is counted
// for itself.
func (b Bounds) misclocked() *big.Int {
	switch {
	case b.SlowClocks == 0:
		return b.lasting(b.eachSince(), b.FastClocks)
	case b.FastClocks == 0:
		return b.lasting(b.eachSince(), b.SlowClocks)
	}
	groups, all := b.lastingGroups(b.eachSince(), b.Period), 0
	for _, g := range groups {
		all += g.slots
	}
	fast, slow := limited(b.FastClocks, all), limited(b.SlowClocks, all)
	if fast == all && slow == all {
		for i := range groups {
			groups[i].ways *= 2
		}
		return using(groups, Unlimited)
	}
	return mixed(exactly(groups, min(fast+slow, all)), fast, slow)
}

// limited returns a budget for so many slots.
func limited(budget, slots int) int {
	if budget == Unlimited {
		return slots
	}
	return min(budget, slots)
}

// mixed counts the ways to use slots, of which there are so many to use exactly 0, 1, ...
// of them: at most so many for one thing and so many for another.
func mixed(exactly []*big.Int, first, second int) *big.Int {
	total, used := new(big.Int), 0
	var term big.Int
	for mixes := range chains.Mixes(first, second) {
		total.Add(total, term.Mul(exactly[used], mixes))
		if used++; used == len(exactly) {
			break
		}
	}
	return total
}
