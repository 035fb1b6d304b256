package schedules

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
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

// Faults returns the units that are faults, from a sorted set of units. They come
// before the choices.
func (u *Universe) Faults(units []int) []int {
	faults, _ := u.parts(units)
	return faults
}

func (u *Universe) parts(units []int) (faults, choices []int) {
	i, _ := slices.BinarySearch(units, u.sections[chosen].first)
	return units[:i], units[i:]
}

// BySize yields the schedules within the bounds by the number of their faults: for each
// number from 0 to the largest, the schedules of Universe.All with that many faults, in
// the same order.
func (u *Universe) BySize() iter.Seq2[int, iter.Seq[rounds.Schedule]] {
	return func(yield func(int, iter.Seq[rounds.Schedule]) bool) {
		u.bySize(func(faults int, w *walk) bool {
			return yield(faults, func(yield func(rounds.Schedule) bool) {
				w.all(func(units []int) bool { return yield(u.scheduleOf(units)) })
			})
		})
	}
}

// ByChoices yields the schedules of Universe.BySize in one sequence, those with equally
// many faults by the number of choices.
func (u *Universe) ByChoices() iter.Seq[rounds.Schedule] {
	most := u.sections[chosen].slots()
	if budget := u.sections[chosen].budget; budget != rounds.Unlimited {
		most = min(most, budget)
	}
	return func(yield func(rounds.Schedule) bool) {
		u.bySize(func(_ int, w *walk) bool {
			goOn := true
			for choices := 0; choices <= most && goOn; choices++ {
				w.chooses, w.left[chosen] = choices, choices
				w.all(func(units []int) bool {
					goOn = yield(u.scheduleOf(units))
					return goOn
				})
			}
			return goOn
		})
	}
}

// bySize yields for each number of faults a walk through the schedules with exactly that
// many, as long as there may be some. Schedules that a walk has cut off may have more
// faults.
func (u *Universe) bySize(yield func(faults int, w *walk) bool) {
	w := u.walk(0)
	for faults, most := 0, w.atMost(0); faults <= most; faults++ {
		w.faults, w.least, w.more, w.ended = faults, faults, false, false
		if !yield(faults, w) || w.ended && !w.more {
			return
		}
	}
}

// InOrder yields the sets of units of the schedules within the bounds in order, and
// true with each. If there are more than most, or when the context ends, the last
// element has false; all sets with fewer faults than the first missing one come before
// it.
func (u *Universe) InOrder(ctx context.Context, most int) iter.Seq2[[]int, bool] {
	return func(yield func([]int, bool) bool) {
		u.bySize(func(_ int, w *walk) bool {
			sets := u.inOrder(ctx, w, most)
			if sets == nil {
				yield(nil, false)
				return false
			}
			most -= len(sets)
			for _, set := range sets {
				if !yield(set, true) {
					return false
				}
			}
			return true
		})
	}
}

// looks is the number of schedules between two checks of the context.
const looks = 1024

// inOrder returns the sets of units of all schedules of a walk in order; nil if there are
// more than most, or the context has ended.
func (u *Universe) inOrder(ctx context.Context, w *walk, most int) [][]int {
	sets := [][]int{}
	w.all(func(units []int) bool {
		sets = append(sets, slices.Sorted(slices.Values(units)))
		return len(sets) <= most && (len(sets)%looks != 0 || ctx.Err() == nil)
	})
	if len(sets) > most || ctx.Err() != nil {
		return nil
	}
	slices.SortFunc(sets, u.Compare)
	return sets
}
