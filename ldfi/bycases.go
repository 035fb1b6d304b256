package ldfi

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
)

// One way to decide a question is by cases: no process crashes, a crashes in round 1, in
// round 2 and so on. In each case these units are constants, and the rest is evaluated like
// all schedules are. A case that is too much work is divided again: by restarts, by
// choices, by the losses of one round after the other.
const (
	caseWork  = 2_000_000     // steps for one case
	casesWork = 2_000_000_000 // steps for all of them together
)

// scenario is a case: some units are on, others off.
type scenario struct {
	given []provenance.Given
	next  int // the section by which it is taken apart
}

// byCases is that way.
type byCases struct {
	*question
	known    *knownSets
	universe *schedules.Universe
	sections [][]int
	max      int // how many sets of each case are looked for

	thorough bool // every case is evaluated: the program may be refused in any

	mutex   sync.Mutex
	moved   *sync.Cond
	open    []scenario
	busy    int
	work    int64
	err     error
	closed  []scenario // that were searched
	skipped []scenario // that have too many faults to matter
	found   [][]int
	partial [][]int // the last set of each case that may have others
}

// byCases decides the question by cases.
func (q *question) byCases(ctx context.Context, s *knownSets) (decided, error) {
	if q.promise.refers() && len(q.bounds.Choose) > 0 {
		return decided{}, &limits.LimitError{What: "cases: what is expected depends on what is chosen"}
	}
	for max := q.options.Max; ; max *= 4 {
		c := q.newByCases(s, max)
		if err := c.all(ctx); err != nil {
			return decided{}, err
		}
		if sets, sure := c.first(); sure {
			keep := s.list()
			for _, set := range sets {
				keep(finding{set, true})
			}
			return decided{way: casesWay, complete: len(sets) < q.options.Max || len(s.universe.Faults(sets[0])) == 0, views: c.views}, nil
		}
	}
}

func (q *question) newByCases(s *knownSets, max int) *byCases {
	c := &byCases{question: q, known: s, universe: s.universe, sections: sectionsOf(s.universe), max: max, thorough: refusable(q.program), open: []scenario{{}}}
	c.moved = sync.NewCond(&c.mutex)
	return c
}

// sectionsOf groups the units of a universe: crashes, restarts, choices, and the other
// faults of each round.
func sectionsOf(u *schedules.Universe) [][]int {
	type place struct{ rank, round int }
	groups := map[place][]int{}
	for unit := range u.Len() {
		at := place{3, u.Fault(unit).Round}
		switch u.Fault(unit).Kind {
		case rounds.Crash:
			at = place{0, 0}
		case rounds.Restart:
			at = place{1, 0}
		case rounds.Choose:
			at = place{2, 0}
		}
		groups[at] = append(groups[at], unit)
	}
	var places []place
	for at := range groups {
		places = append(places, at)
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Or(a.rank-b.rank, a.round-b.round) })
	sections := make([][]int, len(places))
	for i, at := range places {
		sections[i] = groups[at]
	}
	return sections
}

// all decides cases until none is left, as many at a time as can be.
func (c *byCases) all(ctx context.Context) error {
	ctx = limits.DivideMemory(ctx, max(runtime.GOMAXPROCS(0), c.options.Workers)) // so that the memory for each does not depend on Options.Workers
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var cases sync.WaitGroup
	for {
		s, ok := c.take()
		if !ok {
			break
		}
		cases.Go(func() {
			err := c.decide(ctx, s)
			if c.done(err); err != nil {
				cancel(err)
			}
		})
	}
	cases.Wait()
	return c.err
}

// take returns the next case; false if there is none left.
func (c *byCases) take() (s scenario, ok bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for (len(c.open) == 0 || c.busy >= c.options.Workers) && c.busy > 0 && c.err == nil {
		c.moved.Wait()
	}
	if len(c.open) == 0 || c.err != nil {
		return s, false
	}
	last := len(c.open) - 1
	s, c.open = c.open[last], c.open[:last]
	c.busy++
	return s, true
}

// done records the end of a case.
func (c *byCases) done(err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.busy--
	if c.err == nil {
		c.err = err
	}
	c.moved.Broadcast()
}

// decide evaluates a case and searches it, or takes it apart.
func (c *byCases) decide(ctx context.Context, s scenario) error {
	if c.hopeless(s) {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		c.skipped = append(c.skipped, s)
		return nil
	}
	if len(s.given) == 0 && len(c.sections) > 0 { // all of them were tried by circuit
		return c.split(s)
	}
	v, err := c.view(ctx, s)
	switch {
	case outOfEffort(err) && c.divisible(s):
		return c.split(s)
	case err != nil:
		return err
	}
	var sets [][]int
	complete, err := v.sets(ctx, c.max, func(f finding) { sets = append(sets, f.units) })
	c.cost.calls.Add(int64(v.calls))
	if err != nil {
		return err
	}
	for _, set := range sets {
		c.known.knows(set)
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.closed = append(c.closed, s)
	c.known.does(casesWay, fmt.Sprintf("%s done, %d open", text.Plural(len(c.closed)+len(c.skipped), "case"), len(c.open)+c.busy))
	c.found = append(c.found, sets...)
	if !complete {
		c.partial = append(c.partial, sets[len(sets)-1])
	}
	return nil
}

// view evaluates a case, as long as its conditions are not much work.
func (c *byCases) view(ctx context.Context, s scenario) (*view, error) {
	limits := c.asking()
	limits.Given, limits.MaxSteps, limits.Whether = s.given, caseWork, c.emptiness()
	graph, err := c.evaluate(ctx, limits)
	if err != nil {
		return nil, err
	}
	return c.newView(graph, c.promise, c.assumed)
}

// hopeless tells whether a case has more faults than a set that is known, where only the
// first set is looked for.
func (c *byCases) hopeless(s scenario) bool {
	faults := 0
	for _, given := range s.given {
		if given.On && !c.universe.IsChoice(given.Unit) {
			faults++
		}
	}
	return c.options.Max == 1 && !c.thorough && !c.weighs() && c.known.beats(faults)
}

// split divides a case by the units of the next section that has some: none of them is on,
// or the first, or the second but not the first, and so on.
func (c *byCases) split(s scenario) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.work += caseWork; c.work > casesWork {
		return &limits.LimitError{What: "steps of work by cases", Count: casesWork}
	}
	var cases []scenario
	given := slices.Clip(s.given)
	for ; len(cases) == 0 && s.next < len(c.sections); s.next++ {
		for _, unit := range c.sections[s.next] {
			if slices.ContainsFunc(given, func(g provenance.Given) bool { return g.Unit == unit }) {
				continue
			}
			if with := append(given, provenance.Given{Unit: unit, On: true}); c.feasible(with) {
				cases = append(cases, scenario{with, s.next})
			}
			given = slices.Clip(append(given, provenance.Given{Unit: unit}))
		}
	}
	c.open = append(append(c.open, cases...), scenario{given, s.next})
	c.moved.Broadcast()
	return nil
}

// divisible tells whether there are units left by which a case can be taken apart.
func (c *byCases) divisible(s scenario) bool {
	return slices.ContainsFunc(c.sections[min(s.next, len(c.sections)):], func(section []int) bool {
		return slices.ContainsFunc(section, func(unit int) bool {
			return !slices.ContainsFunc(s.given, func(g provenance.Given) bool { return g.Unit == unit })
		})
	})
}

// feasible tells whether the given units exceed no budget.
func (c *byCases) feasible(given []provenance.Given) bool {
	on := map[int]bool{}
	for _, g := range given {
		on[g.Unit] = g.On
	}
	for _, limit := range c.universe.Limits() {
		left := limit.AtMost
		for _, unit := range limit.Units {
			if on[unit] {
				left--
			}
		}
		if left < 0 {
			return false
		}
	}
	return true
}

// first returns the sets that come first, of all cases, and whether no case may have
// others that come before.
func (c *byCases) first() (sets [][]int, sure bool) {
	slices.SortFunc(c.found, c.known.compare)
	var faults [][]int
	for _, set := range c.found {
		struck := c.universe.Faults(set)
		if !slices.ContainsFunc(faults, func(other []int) bool { return contains(struck, other) }) {
			faults, sets = append(faults, struck), append(sets, set)
		}
		if len(sets) == c.options.Max {
			break
		}
	}
	for _, last := range c.partial {
		if len(sets) < c.options.Max || c.known.compare(sets[len(sets)-1], last) > 0 {
			return nil, false
		}
	}
	return sets, true
}

// views evaluates the cases again, one after the other, the skipped ones last.
func (c *byCases) views(ctx context.Context) iter.Seq2[*view, error] {
	return func(yield func(*view, error) bool) {
		for _, s := range slices.Concat(c.closed, c.skipped) {
			if v, err := c.view(ctx, s); !yield(v, err) || err != nil {
				return
			}
		}
	}
}
