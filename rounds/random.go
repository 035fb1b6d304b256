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
		if kind == Restart {
			units = append(units, u.randomRestarts(r, units)...)
			continue
		}
		count := u.slots(kind)
		for _, i := range sample(r, count, u.number(r, kind, count)) {
			s := u.slot(kind, i)
			units = append(units, s.unit(r.IntN(s.size)))
		}
	}
	return u.scheduleOf(units)
}

// randomRestarts returns restarts of some of the processes that crash.
func (u *Universe) randomRestarts(r *rand.Rand, units []int) []int {
	if u.restarts == 0 {
		return nil
	}
	var crashed []int
	for p := range u.n {
		if u.crashOf(units, p) < u.bounds.EOT {
			crashed = append(crashed, p)
		}
	}
	var restarts []int
	for _, i := range sample(r, len(crashed), u.number(r, Restart, len(crashed))) {
		p := crashed[i]
		before := u.crashOf(units, p)
		restarts = append(restarts, u.restart(p, before+1+r.IntN(u.bounds.EOT-before)))
	}
	return restarts
}

// number returns how many of count slots of a kind of fault to use.
func (u *Universe) number(r *rand.Rand, kind Kind, count int) int {
	if budget := u.bounds.budget(kind); budget != Unlimited {
		count = min(count, budget)
	}
	if r.IntN(2) == 0 {
		count = min(count, few)
	}
	return r.IntN(count + 1)
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
