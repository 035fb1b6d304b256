package schedules

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// targets are the processes, links or splits that a kind of fault can strike, numbered
// consecutively: targets that the assumptions of the bounds exclude have no number.
type targets struct {
	all   []int // by number the process or link; nil: each has its own number
	index []int // by process or link its number, -1 for none
}

// newTargets returns the targets among n for which can is true.
func newTargets(n int, can func(int) bool) (targets, int) {
	t := targets{index: make([]int, n)}
	for i := range n {
		t.index[i] = -1
		if can(i) {
			t.index[i] = len(t.all)
			t.all = append(t.all, i)
		}
	}
	if len(t.all) == n {
		return targets{}, n
	}
	return t, len(t.all)
}

// number returns the number of a process or link, and false if it cannot be struck.
func (t *targets) number(i int) (int, bool) {
	if t.index == nil {
		return i, true
	}
	return t.index[i], t.index[i] >= 0
}

// target returns the process or link with a number.
func (t *targets) target(number int) int {
	if t.all == nil {
		return number
	}
	return t.all[number]
}

// targets returns the targets of a kind of fault, and their number.
func (u *Universe) targets(k *kind) (targets, int) {
	n := k.domain.count(u)
	if k.strikes == nil || len(u.bounds.NeverCrash) == 0 && u.reliable.Empty() {
		return targets{}, n
	}
	return newTargets(n, func(target int) bool { return k.strikes(u, target) })
}

// Isolable returns the processes that the assumptions of the bounds allow to isolate,
// whatever the budget: all with a link that can lose messages.
func (u *Universe) Isolable() []string {
	var all []string
	for p, name := range u.bounds.Processes {
		if losesAround(u, p) {
			all = append(all, name)
		}
	}
	return all
}

// CanCrash tells whether the assumptions of b allow process to crash, whatever the
// budget.
func CanCrash(b rounds.Bounds, process string) bool { return !slices.Contains(b.NeverCrash, process) }

// canCrash tells whether a process can crash.
func canCrash(u *Universe, process int) bool {
	return CanCrash(u.bounds, u.bounds.Processes[process])
}

// loses tells whether a link can lose messages.
func loses(u *Universe, link int) bool { return !u.reliable.Has(u.ends(link)) }

// losesAround tells whether a process has a link that can lose messages.
func losesAround(u *Universe, process int) bool { return !u.reliable.Around(process) }

// canCrashSo tells whether the process of an outcome can crash.
func canCrashSo(u *Universe, outcome int) bool { return canCrash(u, outcome/(len(outcomes)-1)) }

// canCrashAt tells whether the process of a point can crash.
func canCrashAt(u *Universe, point int) bool {
	p := 0
	for point >= u.before[p+1] {
		p++
	}
	return canCrash(u, p)
}

// parts tells whether a link between the two sides of a split can lose messages.
func parts(u *Universe, split int) bool {
	sides := u.sidesOf(split)
	for from := range sides {
		for to := range sides {
			if sides[from] != sides[to] && !u.reliable.Has(from, to) {
				return true
			}
		}
	}
	return false
}
