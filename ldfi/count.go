package ldfi

import (
	"context"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// Sets that are not listed are counted if that is cheap: about a second.
const (
	mostCounted = 10_000
	countWork   = 8_000 // about a question of the solver each, or 1/8000 of a second
)

// count returns the number of sets, of which an answer lists some. It does not depend on
// how these were found.
func (q *question) count(ctx context.Context, a *result.Answer) (*result.Count, error) {
	listed := &result.Count{Sets: len(a.Counterexamples), Exact: a.Complete}
	if a.Complete {
		return listed, nil
	}
	if q.options.Decider != nil {
		listed.Why = "the others are not counted: that takes too many questions to an external solver"
		return listed, nil
	}
	v, err := q.overall(ctx)
	if err != nil {
		return nil, err
	}
	if v == nil {
		listed.Why = "the others are not counted: there are too many schedules for that"
		return listed, nil
	}
	q.progress("counting")
	n, all, err := v.count(ctx)
	q.cost.calls.Add(int64(v.calls))
	v.calls = 0
	if err != nil && !isLimit(err) {
		return nil, err
	}
	if a.Complete = all && n == listed.Sets; all {
		return &result.Count{Sets: n, Exact: true}, nil
	}
	return &result.Count{Sets: max(n, listed.Sets), Why: fmt.Sprintf("ldfi counts up to %s, and stops earlier if that takes long", text.Plural(mostCounted, "set"))}, nil
}

// count returns the number of sets that are found without more work, and whether there are
// no others.
func (v *view) count(ctx context.Context) (n int, all bool, err error) {
	if v.tabled() {
		return len(v.minimal()), true, nil
	}
	search := v.newSearch(v.target[0], v.target[1:]...)
	search.Workers = 1
	defer func() { v.calls += search.Calls() }()
	return search.Count(ctx, mostCounted, countWork)
}

// minimal returns the sets of faults that are searched for among all schedules, in a list.
func (v *view) minimal() (sets [][]int) {
	for _, place := range v.places() {
		among := v.graph.Among()
		if place >= len(among) {
			break
		}
		faults := v.graph.Universe.Faults(among[place])
		if !slices.ContainsFunc(sets, func(set []int) bool { return contains(faults, set) }) {
			sets = append(sets, faults)
		}
	}
	return sets
}
