package schedules

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/rounds"
)

// splits are the ways to part the processes in two sides of at least two each. A split is
// the set of the processes that are not on the side of the first one, process i at bit i-1.
// Sets of one process, and the set of all, are no splits: they are isolations.
var splits = domain{
	count: func(u *Universe) int {
		if u.n < 4 || u.n > mostParted {
			return 0
		}
		return 1<<(u.n-1) - 1 - u.n
	},
	name: func(u *Universe, target int, f *rounds.Fault) { f.Detail = u.sidesText(u.sidesOf(target)) },
	of:   func(u *Universe, f rounds.Fault) (int, bool) { return u.split(u.sides(f.Detail)) },
}

// mostParted is the most processes for which bounds allow partitions.
const mostParted = 16

// sidesOf returns the side of each process in a split: the first process is on the side
// false.
func (u *Universe) sidesOf(target int) []bool {
	// Before a set with its highest process at bit h come all smaller sets, without the
	// empty set, and without the h+1 sets of one process.
	set := target + 1
	for h := 1; h < u.n; h++ {
		if s := target + 1 + h; bits.Len(uint(s-1)) == h {
			set = s
		}
	}
	sides := make([]bool, u.n)
	for p := 1; p < u.n; p++ {
		sides[p] = set>>(p-1)&1 == 1
	}
	return sides
}

// split returns the number of the split with these sides, and false if sides is no split.
func (u *Universe) split(sides []bool) (int, bool) {
	if u.n < 4 || u.n > mostParted {
		return 0, false
	}
	set := 0
	for p := 1; p < u.n; p++ {
		if sides[p] != sides[0] {
			set |= 1 << (p - 1)
		}
	}
	if n := bits.OnesCount(uint(set)); n < 2 || n > u.n-2 {
		return 0, false
	}
	return set - 1 - bits.Len(uint(set-1)), true
}

// sides returns on which side of a partition each process is.
func (u *Universe) sides(detail string) []bool { return sidesIn(detail, u.index) }

// sidesIn reads the sides of a partition: true are the processes of a side that
// names its own.
func sidesIn(detail string, index map[string]int) []bool {
	named, other, _ := strings.Cut(detail, "|")
	if named == "*" {
		named = other
	}
	sides := make([]bool, len(index))
	for name := range strings.SplitSeq(named, ",") {
		if p, ok := index[name]; ok {
			sides[p] = true
		}
	}
	return sides
}

// sidesText writes a partition by the names of its smaller side, or of the side
// of the first process if both are as large.
func (u *Universe) sidesText(sides []bool) string {
	count := 0
	for _, side := range sides {
		if side == sides[0] {
			count++
		}
	}
	named := sides[0]
	if count > u.n-count {
		named = !named
	}
	var names []string
	for p, side := range sides {
		if side == named {
			names = append(names, u.bounds.Processes[p])
		}
	}
	slices.Sort(names)
	return strings.Join(names, ",") + "|*"
}
