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
		slots := u.slots(kind)
		most := len(slots)
		if budget := u.bounds.budget(kind); budget != Unlimited {
			most = min(most, budget)
		}
		if r.IntN(2) == 0 {
			most = min(most, few)
		}
		for _, i := range sample(r, len(slots), r.IntN(most+1)) {
			units = append(units, slots[i][r.IntN(len(slots[i]))])
		}
	}
	return u.scheduleOf(units)
}

// sample returns count different numbers below n.
func sample(r *rand.Rand, n, count int) []int {
	if count == 0 {
		return nil
	}
	return r.Perm(n)[:count]
}
