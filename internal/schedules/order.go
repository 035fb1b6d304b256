package schedules

import (
	"cmp"
	"context"
	"iter"
	"slices"
)

// Compare orders sets of units, each sorted: by the number of faults, by the faults,
// by the number of choices, by the choices. In this order the first set that breaks a
// promise is the one that is reported.
func (u *Universe) Compare(a, b []int) int {
	faultsA, choicesA := u.parts(a)
	faultsB, choicesB := u.parts(b)
	return cmp.Or(
		len(faultsA)-len(faultsB), slices.Compare(faultsA, faultsB),
		len(choicesA)-len(choicesB), slices.Compare(choicesA, choicesB))
}

// Faults returns the faults of a sorted set of units, which come before its choices.
func (u *Universe) Faults(units []int) []int {
	faults, _ := u.parts(units)
	return faults
}

func (u *Universe) parts(units []int) (faults, choices []int) {
	i, _ := slices.BinarySearch(units, u.sections[chosen].first)
	return units[:i], units[i:]
}

// InOrder yields the sets of units of the schedules within the bounds in order, and true
// with each. If there are more than most, or when the context ends, it ends with false,
// after all that have fewer faults than the first that is missing.
func (u *Universe) InOrder(ctx context.Context, most int) iter.Seq2[[]int, bool] {
	return func(yield func([]int, bool) bool) {
		for faults, more := 0, true; more; faults++ {
			var sets [][]int
			if sets, more = u.exactly(ctx, faults, most); sets == nil && more {
				yield(nil, false)
				return
			}
			most -= len(sets)
			for _, set := range sets {
				if !yield(set, true) {
					return
				}
			}
		}
	}
}

// looks is after how many schedules the context is looked at.
const looks = 1024

// exactly returns the sets of units of all schedules that have so many faults, in order,
// and whether there are schedules with more; nil and true if there are more than most, or
// the context has ended.
func (u *Universe) exactly(ctx context.Context, faults, most int) (sets [][]int, more bool) {
	sets = [][]int{}
	looked := 0
	more = u.walk(faults, func(units []int) bool {
		set := slices.Sorted(slices.Values(units))
		if len(u.Faults(set)) == faults {
			sets = append(sets, set)
		}
		looked++
		return len(sets) <= most && (looked%looks != 0 || ctx.Err() == nil)
	})
	if len(sets) > most || ctx.Err() != nil {
		return nil, true
	}
	slices.SortFunc(sets, u.Compare)
	return sets, more
}
