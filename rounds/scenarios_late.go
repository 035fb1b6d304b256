package rounds

import (
	"math/big"
	"slices"

	"github.com/lineage-driven/ldfi/internal/late"
)

// lastLate is the last round of which messages can come late or twice: in the last
// one of all there is no later round for them to arrive in.
func (b Bounds) lastLate() int { return min(b.LastLoss(), b.EOT-1) }

// lateSlots are the links and rounds whose messages are lost, late or come twice,
// and how many of each there can be.
func (b Bounds) lateSlots() late.Slots {
	s := late.Slots{Omissions: b.Omissions, Delays: b.Delays, Duplicates: b.Duplicates}
	since := b.losableSince()
	slices.Sort(since)
	for round := 1; round <= b.LastLoss(); round++ {
		there, _ := slices.BinarySearch(since, round+1)
		if round < b.FirstFault() {
			there = 0
		}
		s.Links = append(s.Links, there)
		s.Later = append(s.Later, max(min(b.MaxDelay, b.EOT-round), 0))
	}
	return s
}

// mostOrdered is how many processes there are at most where messages come in
// another order: those of six others come in 719.
const mostOrdered = 7

// ordered counts the ways in which messages come in another order: what reaches a
// process in a round in any but the usual one.
func (b Bounds) ordered() *big.Int {
	if b.Orders == 0 {
		return big.NewInt(1)
	}
	return using([]group{{b.strikable(b.eachSince()), otherOrders(len(b.Processes))}}, b.Orders)
}

// otherOrders is in how many orders what n-1 processes send can come besides the
// usual one.
func otherOrders(n int) int {
	orders := 1
	for k := 2; k < n; k++ {
		orders *= k
	}
	return orders - 1
}
