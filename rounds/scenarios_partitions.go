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
	splits := b.lastingGroups(make([]int, b.splits()), b.Period) // from the first fault on
	if b.Partitions == Unlimited {
		return new(big.Int).Mul(using(splits, Unlimited), b.isolated(Unlimited))
	}
	total := new(big.Int)
	for q, ways := range exactly(splits, b.Partitions) {
		total.Add(total, ways.Mul(ways, b.isolated(b.isolationsBeside(q))))
	}
	return total
}

// isolated counts the ways to have at most so many isolations.
func (b Bounds) isolated(limit int) *big.Int { return b.lasting(b.isolableSince(), limit) }

// severed counts the ways to have cuts.
func (b Bounds) severed() *big.Int { return b.lasting(b.losableSince(), b.Cuts) }

// isolationsBeside returns how many isolations there can be beside so many
// partitions.
func (b Bounds) isolationsBeside(partitions int) int {
	if b.Isolations == Unlimited || b.Partitions == Unlimited {
		return Unlimited
	}
	return b.Isolations + b.Partitions - partitions
}
