package rounds

import (
	"math/big"
	"math/bits"
	"slices"

	"github.com/lineage-driven/ldfi/internal/heard"
)

// together are the kinds of fault that decide together what is received in a round,
// and apart those that have no part in that.
var (
	together = []Kind{Crash, Restart, Isolate, Partition, Pause, Omit, Cut}
	apart    = []Kind{Fast, Slow, Jump, FailSync, Order, Choose}
)

// grants tells whether something is taken for granted of the messages of each round.
func (b Bounds) grants() bool {
	if b.Deliver == "" && b.Kernel == "" {
		return false
	}
	least, kernel := b.Network()
	return least > 1 || b.OwnLost && least == 1 || kernel
}

// granted counts the ways to have faults that leave what is taken for granted of each
// round, of the kinds that decide that together; nil if they are too many to be
// counted, or a kind has a part in it of which that is not known.
func (b Bounds) granted() *big.Int {
	if b.OwnLost && b.isolationsBeside(0) != 0 { // then a process does not always receive from itself
		return nil
	}
	for _, k := range budgeted() {
		if b.Budget(k) != 0 && !slices.Contains(together, k) && !slices.Contains(apart, k) {
			return nil
		}
	}
	counts, err := heard.NewCounts(b.space())
	if err != nil {
		return nil
	}
	return counts.Total()
}

// space returns the schedules within the bounds, as far as they decide what is
// received.
func (b Bounds) space() *heard.Space {
	n, reliable := len(b.Processes), b.reliable()
	s := &heard.Space{
		Processes: n, Rounds: b.EOT, First: b.FirstFault(), LastLoss: max(b.LastLoss(), 0), Period: b.Period, Outcomes: b.outcomes(),
		Lossy: func(from, to int) bool { return !reliable.Has(from, to) },
	}
	s.Least, s.Kernel = b.Network()
	s.Budgets = [...]int{b.Crashes, b.Restarts, b.isolationsBeside(0), b.Partitions, b.Pauses, b.Omissions, b.Cuts}
	for p, name := range b.Processes {
		s.Mortal, s.Points = append(s.Mortal, !slices.Contains(b.NeverCrash, name)), append(s.Points, len(b.Points[name]))
		if s.Budgets[heard.Sides] != 0 && !reliable.Around(p) {
			s.Lasting = append(s.Lasting, heard.Lasting{Side: 1 << p, Costs: []int{heard.Sides}})
		}
		if b.Pauses != 0 {
			s.Lasting = append(s.Lasting, heard.Lasting{Pauses: 1 << p, Costs: []int{heard.Pauses}})
		}
	}
	for from := range n {
		for to := range n {
			if b.Cuts != 0 && from != to && s.Lossy(from, to) {
				s.Lasting = append(s.Lasting, heard.Lasting{Cut: &heard.Link{From: from, To: to}, Costs: []int{heard.Cuts}})
			}
		}
	}
	for _, side := range b.sides() {
		s.Lasting = append(s.Lasting, heard.Lasting{Side: uint32(side), Costs: []int{heard.Sides, heard.Partitions}})
	}
	return s
}

// sides returns one side of each partition that loses something.
func (b Bounds) sides() (all []int) {
	n, lossy := len(b.Processes), b.lossy()
	if b.Partitions == 0 || n < 4 || n > mostParted {
		return nil
	}
	for side := 3; side < 1<<(n-1); side++ {
		if m := bits.OnesCount(uint(side)); m > 1 && m < n-1 && parts(side, lossy) {
			all = append(all, side)
		}
	}
	return all
}
