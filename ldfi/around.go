package ldfi

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
)

// fewUnits is the most units whose subsets are all evaluated.
const fewUnits = 7

// A reason tells what would have been under other schedules: under all of them, if they are
// few or evaluated with little work, and else under those of fewer faults and choices. So
// it does not depend on the way by which a set was found.

// around evaluates a schedule together with others, with no more than most steps of work.
func (q *question) around(ctx context.Context, units []int, most int64) (*view, error) {
	v, err := q.overall(ctx)
	if v != nil || err != nil {
		return v, err
	}
	return q.below(ctx, units, most)
}

// explained returns the world of a schedule that was not found by a search, for its reason:
// for a schedule within the bounds the same world that a search would use. It is nil for a
// schedule that no search visits.
func (q *question) explained(ctx context.Context, s rounds.Schedule, most int64) (*provenance.World, error) {
	units, err := schedules.New(q.bounds).Units(s)
	if err != nil {
		return nil, nil
	}
	v, err := q.around(ctx, units, most)
	if err != nil {
		return nil, err
	}
	w, err := v.graph.Under(s)
	if err != nil {
		return nil, nil
	}
	return w, nil
}

// overall returns the view of all schedules; nil if that is much work.
func (q *question) overall(ctx context.Context) (*view, error) {
	if q.outlook == nil && !q.large {
		v, err := q.everything(ctx)
		if err != nil && !isLimit(err) {
			return nil, err
		}
		q.outlook, q.large = v, err != nil
	}
	return q.outlook, nil
}

// everything evaluates all schedules, unless that is much work.
func (q *question) everything(ctx context.Context) (*view, error) {
	if !q.few() {
		return q.whole(ctx, effort{steps: headStart}, &circuitProgress{}, nil)
	}
	var list [][]int
	for set := range schedules.New(q.bounds).InOrder(ctx, fewSchedules) {
		list = append(list, set)
	}
	v, _, err := q.table(ctx, list, headStart, nil)
	return v, err
}

// few tells whether there are few schedules.
func (q *question) few() bool {
	n := schedules.Count(q.bounds)
	return n.IsInt64() && n.Int64() <= fewSchedules
}

// below evaluates a schedule together with those of fewer faults and choices; if it has
// many units, with those that have all but one, or one.
func (q *question) below(ctx context.Context, units []int, most int64) (*view, error) {
	u := schedules.New(q.bounds)
	var list [][]int
	for _, set := range parts(units) {
		if _, err := u.Units(scheduleOf(u, set)); err == nil {
			list = append(list, set)
		}
	}
	v, _, err := q.table(ctx, list, most, nil)
	return v, err
}

// parts returns subsets of some units, all if these are few, in order of their sizes.
func parts(units []int) [][]int {
	sets := [][]int{{}}
	if len(units) <= fewUnits {
		for chosen := 1; chosen < 1<<len(units); chosen++ {
			var set []int
			for i, unit := range units {
				if chosen>>i&1 == 1 {
					set = append(set, unit)
				}
			}
			sets = append(sets, set)
		}
	} else {
		for i, unit := range units {
			sets = append(sets, []int{unit}, schedules.LeaveOut(units, i))
		}
		sets = append(sets, units)
	}
	slices.SortStableFunc(sets, func(a, b []int) int { return len(a) - len(b) })
	return sets
}
