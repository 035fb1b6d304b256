package ldfi

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// fewest marks a counterexample that has the fewest faults of all schedules of the search.
func (q *question) fewest(c *result.Counterexample) {
	c.Minimal, c.Irreducible, c.Among = true, true, result.AmongBounds
	if q.assumes() {
		c.Among = result.AmongAssumptions
	}
}

// assumes tells whether only schedules that meet some assumptions are searched for.
func (q *question) assumes() bool { return len(q.assumed) > 0 }

// needed separates the faults of a counterexample that break the promise from those that
// are there only to meet the assumptions. It executes the schedule without the latter.
func (q *question) needed(ctx context.Context, c *result.Counterexample, units []int) error {
	if !q.assumes() {
		return nil
	}
	enough, err := q.enough(context.WithoutCancel(ctx), units)
	if err != nil || len(enough) == len(units) {
		return err
	}
	rest := slices.DeleteFunc(slices.Clone(units), func(unit int) bool { return slices.Contains(enough, unit) })
	c.Minimal, c.Irreducible, c.Among, c.Unneeded = false, false, "", scheduleOf(schedules.New(q.bounds), rest)
	return nil
}

// enough leaves out units until none can be left out with the rest still breaking the
// promise.
func (q *question) enough(ctx context.Context, units []int) ([]int, error) {
	u := schedules.New(q.bounds)
	for i := 0; i < len(units); {
		fewer := schedules.LeaveOut(units, i)
		s := scheduleOf(u, fewer)
		if _, err := u.Units(s); err != nil {
			i++
			continue
		}
		broken, err := q.executor.broken(ctx, s)
		if err != nil {
			return nil, err
		}
		if len(broken) == 0 {
			i++
			continue
		}
		units, i = fewer, 0
	}
	return units, nil
}
