package ldfi

import (
	"context"
	"time"

	"github.com/lineage-driven/ldfi/ldfi/result"
)

// decision is what a search found: fault sets that break the promise, the smallest
// first, each confirmed.
type decision struct {
	found    []result.Counterexample
	complete bool  // no further minimal set exists
	least    int   // no set that breaks the promise has fewer faults
	views    views // of all schedules, or of some; nil if there was no end
}

// verdict returns what the decision means if the search came to its end.
func (d decision) verdict() result.Verdict {
	if len(d.found) > 0 {
		return result.Violated
	}
	return result.Holds
}

// search finds up to Options.Max fault sets of which nothing can be left out, in their
// order, and executes them. With an error the decision has what was found before.
func (q *question) search(ctx context.Context, decide func(context.Context, *knownSets) (decided, error)) (decision, error) {
	start := time.Now()
	s := newKnownSets(q.Model, q.tellStage)
	ended, err := decide(ctx, s)
	q.cost.searching += time.Since(start) - q.cost.evaluating
	q.cost.way = ended.way
	d := decision{complete: ended.complete, views: ended.views, least: s.bound()}
	for _, f := range s.findings() {
		c, wrong := q.confirm(ctx, f.units)
		if wrong != nil {
			return d, wrong
		}
		if f.smallest && !q.weighs() && (len(d.found) == 0 || c.Size == d.found[0].Size) {
			q.fewest(&c)
		}
		if wrong := q.needed(ctx, &c, f.units); wrong != nil {
			return d, wrong
		}
		d.found = append(d.found, c)
	}
	return d, err
}

// alone decides the question by circuit, as far as that goes.
func (q *question) alone(ctx context.Context, s *knownSets) (decided, error) {
	return q.byCircuit(ctx, s, effort{}, &circuitProgress{})
}
