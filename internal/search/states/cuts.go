package states

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
		named := side // those on the side of the smaller number, or where the first process is
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

// cuts numbers the ways to divide the processes into groups that exchange nothing
// with each other: what isolations and partitions come to. That with number 0 is one group.
type cuts struct {
	n      int
	groups *sequences // by process, the first of its group; empty: all are in one
	known  map[cutting]int32
}

// cutting is a side that is cut off from the rest of the processes.
type cutting struct {
	cut  int32
	side uint64
}

func newCuts(n int) *cuts {
	return &cuts{n: n, groups: newSequences(), known: map[cutting]int32{}}
}

// apart tells whether two processes are in different groups.
func (c *cuts) apart(cut int32, p, q int) bool {
	if cut == 0 {
		return false
	}
	groups := c.groups.lists[cut]
	return groups[p] != groups[q]
}

// divide cuts some processes off from the others.
func (c *cuts) divide(cut int32, side uint64) int32 {
	k := cutting{cut, side}
	if known, ok := c.known[k]; ok {
		return known
	}
	groups := make([]int32, c.n)
	for p := range groups {
		first := p
		for q := range p {
			if !c.apart(cut, p, q) && side>>p&1 == side>>q&1 {
				first = q
				break
			}
		}
		groups[p] = int32(first)
	}
	divided := c.groups.number(groups)
	c.known[k] = divided
	return divided
}

// without is a division in which it makes no difference where some processes are.
func (c *cuts) without(cut int32, gone uint64) int32 {
	if cut == 0 {
		return 0
	}
	for left := gone; left != 0; left &= left - 1 {
		cut = c.divide(cut, 1<<bits.TrailingZeros64(left))
	}
	first := -1
	for p := range c.n {
		switch {
		case gone>>p&1 == 1:
		case first < 0:
			first = p
		case c.apart(cut, first, p):
			return cut
		}
	}
	return 0
}
