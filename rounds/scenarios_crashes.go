package rounds

import (
	"iter"
	"math/big"
	"slices"

	"github.com/lineage-driven/ldfi/internal/chains"
)

// downs counts the ways in which processes crash and restart.
//
// What happens to a process is crashes and restarts in turn, so that all that the
// budgets need to know of it is how often it restarts, and whether it is down in
// the end: crashes are as many as both together.
func (b Bounds) downs() *big.Int {
	crashes, restarts := b.Crashes, b.Restarts
	if n := b.crashable(); crashes == Unlimited || crashes >= n*(b.EOT+1) {
		crashes = n * (b.EOT + 1)
	}
	if restarts == Unlimited || restarts > crashes {
		restarts = crashes
	}
	if crashes == 0 {
		return big.NewInt(1)
	}
	if most := b.crashable() * b.EOT; restarts >= most && crashes >= most+b.crashable() {
		return b.anyDowns()
	}
	ways := table{{big.NewInt(1)}} // by restarts, and by how many processes are down in the end
	for _, p := range b.crashing() {
		ways = ways.times(chains.Count(b.lifetime(p), len(b.Points[p]), b.outcomes()), crashes, restarts)
	}
	return ways.sum()
}

// anyDowns counts them without a limit: each process is on its own.
func (b Bounds) anyDowns() *big.Int {
	total := big.NewInt(1)
	for _, p := range b.crashing() {
		one := new(big.Int)
		for _, ways := range chains.Count(b.lifetime(p), len(b.Points[p]), b.outcomes()) {
			one.Add(one, ways[0])
			one.Add(one, ways[1])
		}
		total.Mul(total, one)
	}
	return total
}

// lifetime returns in how many rounds a process can crash.
func (b Bounds) lifetime(p string) int { return max(b.EOT-max(b.Joined(p), b.FirstFault())+1, 0) }

// outcomes returns in how many ways a crash can leave a disk.
func (b Bounds) outcomes() int {
	if b.Disks {
		return len(disks)
	}
	return 1
}

// crashing returns the processes that can crash.
func (b Bounds) crashing() []string {
	return slices.DeleteFunc(slices.Clone(b.Processes), func(p string) bool { return slices.Contains(b.NeverCrash, p) })
}

// table is numbers by two others.
type table [][]*big.Int

// times returns the ways of one process more, within the budgets.
func (t table) times(process iter.Seq2[int, [2]*big.Int], crashes, restarts int) table {
	var product table
	var term big.Int
	for again, ways := range process {
		for r := 0; r < len(t) && r+again <= restarts; r++ {
			for d, before := range t[r] {
				for down, one := range ways {
					if one.Sign() > 0 && before.Sign() > 0 && r+again+d+down <= crashes {
						at := product.at(r+again, d+down)
						at.Add(at, term.Mul(before, one))
					}
				}
			}
		}
		if again == restarts {
			break
		}
	}
	return product
}

// at returns a number to be changed.
func (t *table) at(i, j int) *big.Int {
	for len(*t) <= i {
		*t = append(*t, nil)
	}
	row := &(*t)[i]
	for len(*row) <= j {
		*row = append(*row, new(big.Int))
	}
	return (*row)[j]
}

func (t table) sum() *big.Int {
	total := new(big.Int)
	for _, row := range t {
		for _, n := range row {
			total.Add(total, n)
		}
	}
	return total
}
