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
	return choices(group{len(b.Processes) * max(b.LastLoss(), 0), b.MaxJump}, group{}, b.Jumps)
}

// failed counts the ways in which syncs fail.
func (b Bounds) failed() *big.Int {
	return choices(group{len(b.Processes) * max(b.LastLoss(), 0), 1}, group{}, b.FailedSyncs)
}

// misclocked counts the ways in which clocks run fast and slow: of one process in
// a phase one of both at most. Which are fast of so many that run wrong is counted
// for itself.
func (b Bounds) misclocked() *big.Int {
	n := len(b.Processes)
	switch {
	case b.SlowClocks == 0:
		return b.lasting(n, b.FastClocks)
	case b.FastClocks == 0:
		return b.lasting(n, b.SlowClocks)
	}
	losses := max(b.LastLoss(), 0)
	whole, cut := group{n * (losses / b.Period), b.Period}, group{n, losses % b.Period}
	all := whole.slots + cut.slots
	fast, slow := limited(b.FastClocks, all), limited(b.SlowClocks, all)
	if fast == all && slow == all {
		whole.ways, cut.ways = 2*whole.ways, 2*cut.ways
		return choices(whole, cut, Unlimited)
	}
	return mixed(whole, cut, fast, slow)
}

// limited returns a budget for so many slots.
func limited(budget, slots int) int {
	if budget == Unlimited {
		return slots
	}
	return min(budget, slots)
}

// mixed counts the ways to use slots of two groups, the second of which is small, at
// most so many of both for one thing and so many for another.
func mixed(whole, cut group, first, second int) *big.Int {
	most := min(first+second, whole.slots+cut.slots)
	others := cut.using(min(cut.slots, most))
	exactly := whole.using(min(whole.slots, most))
	total, used := new(big.Int), 0
	var ways, term big.Int
	for mixes := range chains.Mixes(first, second) {
		ways.SetInt64(0) // to use so many slots
		for k, more := range others {
			if left := used - k; 0 <= left && left < len(exactly) {
				ways.Add(&ways, term.Mul(exactly[left], more))
			}
		}
		total.Add(total, term.Mul(&ways, mixes))
		if used++; used > most {
			break
		}
	}
	return total
}
