package rounds

import (
	"math/big"
	"math/bits"
)

// splits returns in how many ways the processes can be parted in two sides of at
// least two each, between which messages can be lost; one process against the rest
// is an isolation.
func (b Bounds) splits() int {
	n := len(b.Processes)
	if n < 4 || n > mostParted {
		return 0
	}
	if len(b.Reliable) == 0 {
		return 1<<(n-1) - 1 - n
	}
	count, lossy := 0, b.lossy()
	for side := 3; side < 1<<(n-1); side++ {
		if m := bits.OnesCount(uint(side)); m > 1 && m < n-1 && parts(side, lossy) {
			count++
		}
	}
	return count
}

// lossy returns by process, as a set of bits, those with which it has a link that
// can lose messages, one way or the other.
func (b Bounds) lossy() []int {
	reliable, all := b.reliable(), make([]int, len(b.Processes))
	for p := range all {
		for q := range all {
			if p != q && !(reliable.Has(p, q) && reliable.Has(q, p)) {
				all[p] |= 1 << q
			}
		}
	}
	return all
}

// parts tells whether a link that can lose messages leads from a side to the other.
func parts(side int, lossy []int) bool {
	for p, others := range lossy {
		if side>>p&1 == 1 && others&^side != 0 {
			return true
		}
	}
	return false
}

// parted counts the ways to have isolations and partitions: as many partitions as
// they have a budget, and what is left of it for isolations more.
func (b Bounds) parted() *big.Int {
	if b.Partitions == 0 {
		return b.isolated(b.Isolations)
	}
	splits, losses := b.splits(), max(b.LastLoss(), 0)
	whole, cut := group{splits * (losses / b.Period), b.Period}, group{splits, losses % b.Period}
	if b.Partitions == Unlimited {
		return new(big.Int).Mul(choices(whole, cut, Unlimited), b.isolated(Unlimited))
	}
	total, fewer := new(big.Int), new(big.Int)
	for q := 0; q <= min(b.Partitions, whole.slots+cut.slots); q++ {
		upTo := choices(whole, cut, q)
		exactly := new(big.Int).Sub(upTo, fewer)
		total.Add(total, exactly.Mul(exactly, b.isolated(b.isolationsBeside(q))))
		fewer = upTo
	}
	return total
}

// isolated counts the ways to have at most so many isolations.
func (b Bounds) isolated(limit int) *big.Int {
	if b.Joins != nil {
		return b.lastingSince(b.isolableSince(), b.Period, limit)
	}
	return b.lasting(b.isolable(), limit)
}

// severed counts the ways to have cuts.
func (b Bounds) severed() *big.Int {
	if b.Joins != nil {
		return b.lastingSince(b.losableSince(), b.Period, b.Cuts)
	}
	return b.lasting(b.losable(), b.Cuts)
}

// isolationsBeside returns how many isolations there can be beside so many
// partitions.
func (b Bounds) isolationsBeside(partitions int) int {
	if b.Isolations == Unlimited || b.Partitions == Unlimited {
		return Unlimited
	}
	return b.Isolations + b.Partitions - partitions
}
