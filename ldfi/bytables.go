package ldfi

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/text"
)

// One way to decide a question is to evaluate the program over lists of schedules, in
// order: conditions are truth tables then, no solver is needed, and the first set that
// breaks the promise is the first bit of a table. It decides questions with few schedules.
// For other questions it finds sets of few faults long before all schedules are evaluated.
const (
	firstSchedules = 1024        // in the first evaluation
	tableSchedules = 4096        // in each other one: a schedule costs less the more there are
	mostSchedules  = 1 << 19     // in all of them together
	mostTableWork  = 400_000_000 // steps in all of them together
	mostTables     = 1_000_000   // different ones in one evaluation
)

// byTables is that way.
type byTables struct {
	*question
	known *knownSets
	keep  func(finding)

	first *view     // of the first list
	lists int       // that were evaluated
	left  int64     // steps of work that it may take
	found [][]int   // sets, faults only
	later []finding // that are put in order in the end

	faultless bool // the first of them has no faults, so that there are no others
}

// byTables decides the question by lists of schedules.
func (q *question) byTables(ctx context.Context, s *knownSets, most int64) (decided, error) {
	t := &byTables{question: q, known: s, keep: s.list(), left: most}
	early := !refusable(q.program) && !q.weighs()
	var list [][]int
	for set, ok := range s.universe.InOrder(ctx, mostSchedules) {
		if len(list) == t.size() || !ok && list != nil {
			if err := t.look(ctx, list); err != nil {
				return decided{}, err
			}
			if early && t.enough() {
				return t.decided(true), nil
			}
			list = nil
		}
		if !ok && ctx.Err() != nil {
			return decided{}, context.Cause(ctx)
		}
		if !ok {
			return decided{}, &limits.LimitError{What: "schedules, each with a place in truth tables", Count: mostSchedules}
		}
		list = append(list, set)
	}
	if err := t.look(ctx, list); err != nil {
		return decided{}, err
	}
	return t.decided(t.lists > 1), nil
}

// size is the number of schedules to evaluate next.
func (t *byTables) size() int {
	if t.lists == 0 {
		return firstSchedules
	}
	return tableSchedules
}

// enough tells whether no other set is looked for, or there is none.
func (t *byTables) enough() bool { return t.faultless || len(t.found) == t.options.Max && !t.weighs() }

// decided returns the result, for all schedules or for the first ones.
func (t *byTables) decided(partial bool) decided {
	if t.first.partial = partial; !partial && t.few() && !t.first.gist {
		t.outlook = t.first
	}
	slices.SortFunc(t.later, func(a, b finding) int { return t.known.compare(a.units, b.units) })
	for _, f := range t.later[:min(len(t.later), t.options.Max)] {
		t.keep(f)
	}
	return decided{tablesWay, len(t.found) < t.options.Max || t.faultless, one(t.first)}
}

// look evaluates some schedules, which come next in order.
func (t *byTables) look(ctx context.Context, list [][]int) error {
	v, work, err := t.table(ctx, list, t.left, t.emptiness())
	if err != nil {
		return err
	}
	t.left -= work
	t.known.does(tablesWay, "schedules with up to "+text.Plural(len(v.graph.Universe.Faults(list[len(list)-1])), "fault"))
	if t.lists++; t.first == nil {
		t.first = v
	}
	for _, place := range v.places() {
		if place >= len(list) || t.enough() {
			break
		}
		faults := v.graph.Universe.Faults(list[place])
		if slices.ContainsFunc(t.found, func(set []int) bool { return contains(faults, set) }) {
			continue
		}
		t.found = append(t.found, faults)
		t.finds(finding{list[place], true})
		t.faultless = t.faultless || len(faults) == 0
	}
	if len(t.found) == 0 {
		t.known.atLeast(len(v.graph.Universe.Faults(list[len(list)-1])))
	}
	return nil
}

// finds hands out a set, if it is the next.
func (t *byTables) finds(f finding) {
	if !t.weighs() {
		t.keep(f)
		return
	}
	t.known.knows(f.units)
	t.later = append(t.later, f)
}

// contains tells whether a sorted set has all elements of another.
func contains(set, other []int) bool {
	for _, unit := range other {
		if _, ok := slices.BinarySearch(set, unit); !ok {
			return false
		}
	}
	return true
}

// table evaluates a list of schedules, followed by their choices without faults if the
// promise refers to those. For some relations it may evaluate only whether they have facts
// at all. It returns the work done.
func (q *question) table(ctx context.Context, list [][]int, most int64, whether map[string]int) (*view, int64, error) {
	var work atomic.Int64
	limits := q.asking()
	limits.Among, limits.Work, limits.MaxSteps = list, &work, max(most, 1)
	if q.promise.refers() && len(q.bounds.Choose) > 0 {
		limits.Among = withFaultless(schedules.New(q.bounds), list)
	}
	limits.Whether = whether
	limits.MaxGates = min(limits.MaxGates, mostTables)
	graph, err := q.evaluate(ctx, limits)
	if graph != nil && q.few() {
		q.cost.grew(graph)
	}
	if err != nil {
		return nil, 0, err
	}
	v, err := q.newView(graph, q.promise, q.assumed)
	return v, work.Load(), err
}

// places returns the places of the schedules that are searched for.
func (v *view) places() []int {
	return slices.Collect(v.graph.Circuit.Where(v.graph.Circuit.Ands(v.target...)))
}
