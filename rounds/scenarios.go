package rounds

import "math/big"

// Scenarios returns the number of schedules within the bounds.
func (b Bounds) Scenarios() *big.Int {
	b = b.Normal()
	n := len(b.Processes)
	total := choices(group{n, b.EOT}.alone(), b.Crashes)
	var starts []group
	for _, ph := range b.phases() {
		starts = append(starts, group{n, ph.last - ph.first + 1})
	}
	total.Mul(total, choices(starts, b.Isolations))
	return total.Mul(total, choices(group{n * (n - 1) * b.LastLoss(), 1}.alone(), b.Omissions))
}

// group is a number of slots, each of which can be used in so many ways or not
// at all.
type group struct{ slots, ways int }

func (g group) alone() []group { return []group{g} }

// choices counts the ways to use at most limit of the slots of the groups.
func choices(groups []group, limit int) *big.Int {
	slots := 0
	for _, g := range groups {
		slots += g.slots
	}
	if limit == Unlimited || limit >= slots {
		return unlimitedChoices(groups)
	}
	// using[k] counts the ways to use exactly k of the slots so far.
	using := []*big.Int{big.NewInt(1)}
	for _, g := range groups {
		using = product(using, g.using(min(g.slots, limit)), limit)
	}
	total := new(big.Int)
	for _, ways := range using {
		total.Add(total, ways)
	}
	return total
}

func unlimitedChoices(groups []group) *big.Int {
	total := big.NewInt(1)
	for _, g := range groups {
		ways := big.NewInt(int64(g.ways) + 1)
		total.Mul(total, ways.Exp(ways, big.NewInt(int64(g.slots)), nil))
	}
	return total
}

// using counts the ways to use exactly 0, 1, ... most of the slots: binomial
// coefficients times powers of the ways.
func (g group) using(most int) []*big.Int {
	counts := []*big.Int{big.NewInt(1)}
	for k := 1; k <= most; k++ {
		next := new(big.Int).Mul(counts[k-1], big.NewInt(int64(g.slots-k+1)*int64(g.ways)))
		counts = append(counts, next.Div(next, big.NewInt(int64(k))))
	}
	return counts
}

// product multiplies two polynomials up to a degree.
func product(a, b []*big.Int, degree int) []*big.Int {
	if len(a) == 1 && a[0].IsInt64() && a[0].Int64() == 1 {
		return b
	}
	result := make([]*big.Int, min(len(a)+len(b)-1, degree+1))
	for k := range result {
		result[k] = new(big.Int)
	}
	var term big.Int
	for i := range a {
		for j := 0; j < len(b) && i+j < len(result); j++ {
			result[i+j].Add(result[i+j], term.Mul(a[i], b[j]))
		}
	}
	return result
}
