package ldfi

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/internal/minimality"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// fewest says of a counterexample that none with fewer faults is what is searched
// for.
func (q *question) fewest(c *result.Counterexample) {
	c.Minimal, c.Irreducible, c.Among = true, true, minimality.Bounds
	if q.assumes() {
		c.Among = minimality.Assumptions
	}
}

// assumes tells whether only schedules that meet some assumptions are searched for.
func (q *question) assumes() bool { return len(q.target) > 1 }

// needed tells apart the faults of a counterexample that break the promise and
// those that are there only to meet the assumptions. What is left without these is
// executed.
func (q *question) needed(ctx context.Context, c *result.Counterexample, units []int) error {
	if !q.assumes() {
		return nil
	}
	if q.unassumed == nil {
		q.unassumed = newBatch(q, q.target[:1])
	}
	if err := q.graph.Circuit.Err(); err != nil {
		return err
	}
	enough := q.unassumed.shrink(units)
	if len(enough) == len(units) {
		return nil
	}
	broken, err := q.executor.broken(context.WithoutCancel(ctx), q.scheduleOf(enough))
	if err != nil {
		return err
	}
	if err := q.agree(enough, broken); err != nil {
		return err
	}
	rest := slices.DeleteFunc(slices.Clone(units), func(unit int) bool { return slices.Contains(enough, unit) })
	c.Minimal, c.Irreducible, c.Among, c.Unneeded = false, false, "", q.scheduleOf(rest)
	return nil
}
