package strategies

import (
	"math/bits"
	"slices"
	"strings"
)

// split is two sides of at least two processes each.
type split struct {
	side uint64
	text string // in a schedule
}

// splitsOf returns all splits of some processes; none if there are fewer than four.
func splitsOf(processes []string) []split {
	var all []split
	n := len(processes)
	for side := uint64(1); side < 1<<(n-1); side++ {
		count := bits.OnesCount64(side)
		if count < 2 || count > n-2 {
			continue
		}
		named := side // the processes on the side of the smaller number, or on that of the first process
		if 2*count > n || 2*count == n && side&1 == 0 {
			named = 1<<n - 1 - side
		}
		var names []string
		for i, name := range processes {
			if named>>i&1 == 1 {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		all = append(all, split{side, strings.Join(names, ",") + "|*"})
	}
	return all
}

// cuts numbers the sets of links on which all messages are lost, by isolations, partitions
// and one-way cuts. The number 0 is the empty set.
type cuts struct {
	n     int
	ways  int        // to lose messages besides all
	lost  *sequences // by way and sender, the receivers that get nothing from it, in two numbers; empty: all receive
	known map[cutting]int32
}

// cutting adds links to the set cut: all links from the processes in from to those in to,
// or if both is set also the links in the other direction.
type cutting struct {
	cut      int32
	from, to uint64
	both     bool
	way      int
}

func newCuts(n, ways int) *cuts {
	return &cuts{n: n, ways: ways, lost: newSequences(), known: map[cutting]int32{}}
}

// apart tells whether all messages from one process to another are lost.
func (c *cuts) apart(cut int32, from, to int) bool {
	if cut == 0 {
		return false
	}
	return uint32(c.lost.lists[cut][2*from+to>>5])>>(to&31)&1 == 1
}

// divide cuts some processes off from the others.
func (c *cuts) divide(cut int32, side uint64) int32 {
	return c.lose(cutting{cut, side, 1<<c.n - 1 - side, true, 0})
}

func (c *cuts) lose(k cutting) int32 {
	if known, ok := c.known[k]; ok {
		return known
	}
	lost := make([]int32, 2*c.n*(1+c.ways))
	copy(lost, c.lost.lists[k.cut])
	add := func(from, to uint64) {
		for ; from != 0; from &= from - 1 {
			p := k.way*c.n + bits.TrailingZeros64(from)
			lost[2*p] |= int32(uint32(to))
			lost[2*p+1] |= int32(uint32(to >> 32))
		}
	}
	add(k.from, k.to)
	if k.both {
		add(k.to, k.from)
	}
	c.narrow(lost)
	divided := c.lost.number(lost)
	c.known[k] = divided
	return divided
}

// without removes the links of the processes in gone, whose messages make no difference,
// from a cut.
func (c *cuts) without(cut int32, gone uint64) int32 {
	if cut == 0 {
		return 0
	}
	for left := gone; left != 0; left &= left - 1 {
		cut = c.divide(cut, 1<<bits.TrailingZeros64(left))
	}
	if c.between(cut, gone) {
		return cut
	}
	return 0
}
