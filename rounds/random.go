package rounds

import "math/rand/v2"

// few is the number of faults that Random takes to be few.
const few = 4

// Random returns a schedule within the bounds, in normal form. Of each kind of
// fault it has few as often as any number within the budget, because most
// mistakes show with few.
func (u *Universe) Random(r *rand.Rand) Schedule {
	var units []int
	for _, kind := range budgeted {
		count := u.slots(kind)
		most := count
		if budget := u.bounds.budget(kind); budget != Unlimited {
			most = min(most, budget)
		}
		if r.IntN(2) == 0 {
			most = min(most, few)
		}
		for _, i := range sample(r, count, r.IntN(most+1)) {
			s := u.slot(kind, i)
			units = append(units, s.unit(r.IntN(s.size)))
		}
	}
	return u.scheduleOf(units)
}

// sample returns count different numbers below n, each set of them as likely as
// any other, without going through all n (Floyd's algorithm).
func sample(r *rand.Rand, n, count int) []int {
	chosen := make([]int, 0, count)
	seen := make(map[int]bool, count)
	for top := n - count; top < n; top++ {
		i := r.IntN(top + 1)
		if seen[i] {
			i = top
		}
		seen[i] = true
		chosen = append(chosen, i)
	}
	return chosen
}
