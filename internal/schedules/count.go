package schedules

import (
	"math/big"

	"github.com/lineage-driven/ldfi/rounds"
)

// Count returns the number of schedules within bounds. Unless it is [Exact], there are
// at most so many.
func Count(b rounds.Bounds) *big.Int { return New(b).Count() }

// Exact tells whether [Count] is the number of schedules, and not one that they do not
// exceed.
func Exact(b rounds.Bounds) bool { return New(b).Exact() }

// Count returns the number of schedules; unless it is Exact, there are at most so many.
func (u *Universe) Count() *big.Int {
	total := big.NewInt(1)
	for _, s := range u.spaces() {
		total.Mul(total, s.count())
	}
	return total
}

// Exact tells whether Count is the number of schedules, and not one that they do not
// exceed: what is taken for granted of each round can leave too many to be counted.
func (u *Universe) Exact() bool { return u.meeting == nil || u.granted() != nil }
