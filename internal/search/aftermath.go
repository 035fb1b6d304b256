package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// An execution that goes on has so many times as many calm rounds, each time with
// its own seed and with so many others for what is drawn in calm rounds.
var calmTimes = []int{2, 4, 8}

const calmSeeds = 3

// mostContinued is how many executions one needs at most that goes on, if each number of
// rounds takes one of its own: of itself and with each seed as it was, and with so many
// times as many calm rounds.
const mostContinued = (1 + calmSeeds) * (1 + 3)

// MostRounds returns the most rounds to which an execution of eot rounds is continued.
func MostRounds(eot int) int { return slices.Max(calmTimes) * (eot + 1) }

// Aftermath is the result of continuing an execution with violations.
type Aftermath struct {
	Left       []result.Violation // that are left
	Continued  *result.Continued  // nil: nothing had to be continued, or nothing is left of it
	Awaited    []result.Violation // that say that something has not happened, which happens later
	Late       *result.Late       // nil: nothing does
	Executions int
}

// GoOn continues an execution at whose end something has not happened
// ([property.Property.ByEnd]). That is a violation only if it stays so:
// with more calm rounds, and whatever is drawn in them. So what happens with one
// seed, and not with others, is late: liveness is promised with probability, and
// an execution is stuck if no choice leads out of it. Other violations stand as they
// are, and all do if the number of rounds is fixed.
func (t *Target) GoOn(ctx context.Context, e *recording.Execution, found []result.Violation) (*Aftermath, error) {
	return t.goingOn(e, found).all(ctx)
}

// goingOn begins to continue an execution.
func (t *Target) goingOn(e *recording.Execution, found []result.Violation) *continuing {
	c := &continuing{target: t, e: e, found: found, awaited: byEnd(found), schedule: e.Schedule, eot: e.Bounds.EOT}
	if c.needed = !t.Fixed && len(c.awaited) > 0; c.needed {
		c.extend()
		c.exact = t.differs(e) == ""
	}
	return c
}

// all goes on to the end.
func (c *continuing) all(ctx context.Context) (*Aftermath, error) {
	if !c.needed {
		return &Aftermath{Left: c.found}, nil
	}
	if err := c.itself(ctx); err != nil {
		return nil, err
	}
	if err := c.others(goingOn(ctx)); err != nil {
		return nil, err
	}
	if c.exact && len(c.left) == 0 && len(c.seeds) == 0 {
		if err := c.again(goingOn(ctx), c.e); err != nil {
			return nil, err
		}
	}
	after := &Aftermath{Executions: c.executions}
	for _, v := range c.found {
		if !v.ByEnd || slices.ContainsFunc(c.left, same(v)) {
			after.Left = append(after.Left, v)
		} else {
			after.Awaited = append(after.Awaited, v)
		}
	}
	if len(c.left) > 0 {
		after.Continued = c.continued()
	}
	if len(after.Awaited) > 0 {
		after.Late = &result.Late{Schedules: 1, Rounds: c.rounds, Slowest: c.e.Schedule}
		if len(c.seeds) > 0 {
			after.Late.Reseeded = 1
		}
	}
	return after, nil
}

// continuing continues one execution.
type continuing struct {
	target  *Target
	e       *recording.Execution
	found   []result.Violation // of it
	awaited []result.Violation // those of them that may be late
	needed  bool               // some may be
	exact   bool               // other executions of the schedule do the same
	own     bool               // it went on with its own seed
	over    bool               // other seeds show nothing more
	left    []result.Violation // of what is awaited, as far as it went on

	schedule   rounds.Schedule
	eot        int
	from       int      // the round from which on other seeds count
	extents    []int    // in rounds
	limit      string   // why they are no longer
	rounds     int      // of the last execution, or by which it was judged last
	reached    int      // the most rounds that an execution came through
	seeds      []uint64 // that were tried beside that of the schedule
	executions int
}

// extend says how far the execution goes on. The calm rounds are those behind the
// last fault, and at least half of all: a fault in the last round leaves no time
// for anything.
func (c *continuing) extend() {
	last := 0
	for _, f := range c.schedule.Faults {
		last = max(last, f.Round, f.Until)
	}
	c.from = cmp.Or(c.schedule.Settings.ReseedFrom, last+1)
	rest := max(c.eot-last, (c.eot+1)/2)
	most := c.most(last + slices.Max(calmTimes)*rest)
	for _, times := range calmTimes {
		if n := min(last+times*rest, most); n > c.eot && !slices.Contains(c.extents, n) {
			c.extents = append(c.extents, n)
		}
	}
	if most < last+slices.Max(calmTimes)*rest {
		c.limit = fmt.Sprintf("an execution of %d processes has at most %d rounds", len(c.target.Processes), most)
	}
}

// most returns the number of rounds that an execution can have, up to a number.
func (c *continuing) most(wanted int) int {
	b := rounds.Bounds{Processes: c.target.Processes, Period: 1}
	return sort.Search(wanted, func(n int) bool {
		b.EOT = n + 1
		return b.Validate() != nil
	})
}

// itself goes on with the seed of the execution, if that was not done yet.
func (c *continuing) itself(ctx context.Context) (err error) {
	if !c.needed || c.own {
		return nil
	}
	ctx = goingOn(ctx)
	if c.exact {
		c.left, err = c.extended(ctx, c.schedule, c.awaited)
		err = c.failed(ctx, err)
	} else {
		c.left, err = c.everStuck(ctx, c.awaited)
		c.over = true
	}
	c.own = err == nil
	return err
}

// others goes on with other seeds.
func (c *continuing) others(ctx context.Context) error {
	for i := range calmSeeds {
		if c.over || len(c.left) == 0 {
			break
		}
		seed := cmp.Or(c.schedule.Settings.Reseed, c.schedule.Settings.Seed).Value + uint64(i) + 1
		c.seeds = append(c.seeds, seed)
		there, err := c.reseeded(ctx, seed, c.left)
		if err == nil {
			c.left = those(c.left, there, ofProperty)
		}
		if err := c.failed(ctx, err); err != nil {
			return err
		}
	}
	return nil
}

// failed takes note of an execution that failed while it went on: then it goes on no
// further. Any other error it returns.
func (c *continuing) failed(ctx context.Context, err error) error {
	if failed := (*ExecutionError)(nil); ctx.Err() == nil && errors.As(err, &failed) && len(c.left) > 0 {
		c.limit, c.over = fmt.Sprintf("going on to round %d, %v", c.rounds, failed.Err), true
		return nil
	}
	return err
}

// everStuck returns those of some violations that an execution has which went on from
// its beginning: where executions differ none goes on with another. There are as many
// as there are seeds otherwise.
func (c *continuing) everStuck(ctx context.Context, awaited []result.Violation) (left []result.Violation, err error) {
	for range 1 + calmSeeds {
		left = awaited
		err := c.execute(ctx, c.schedule, []int{c.longest()}, func(_ int, violations []result.Violation) bool {
			left = those(awaited, violations, same)
			return false
		})
		if err != nil {
			return awaited, err
		}
		if len(left) > 0 {
			break
		}
	}
	return left, nil
}

// longest returns how many rounds the execution has that goes on furthest.
func (c *continuing) longest() int { return slices.Max(append(c.extents, c.eot)) }

// reseeded returns what stays violated when other numbers are drawn in calm
// rounds.
func (c *continuing) reseeded(ctx context.Context, seed uint64, left []result.Violation) ([]result.Violation, error) {
	other := c.schedule.With(rounds.Settings{Reseed: rounds.Set(seed), ReseedFrom: c.from})
	if c.from > c.eot {
		return c.extended(ctx, other, left) // so far nothing is different
	}
	err := c.execute(ctx, other, append([]int{c.eot}, c.extents...), func(n int, violations []result.Violation) bool {
		if n == c.eot {
			left = those(byEnd(violations), left, ofProperty)
		} else {
			left = those(left, violations, same)
		}
		return len(left) > 0
	})
	return left, err
}

// extended returns those of some violations that are left each time that the
// execution goes on. What is left when it fails is left.
func (c *continuing) extended(ctx context.Context, schedule rounds.Schedule, left []result.Violation) ([]result.Violation, error) {
	if len(c.extents) == 0 {
		return left, nil
	}
	err := c.execute(ctx, schedule, c.extents, func(_ int, violations []result.Violation) bool {
		left = those(left, violations, same)
		return len(left) > 0
	})
	return left, err
}

// those returns the violations that others are like.
func those(all, others []result.Violation, like func(result.Violation) func(result.Violation) bool) []result.Violation {
	return slices.DeleteFunc(slices.Clone(all), func(v result.Violation) bool { return !slices.ContainsFunc(others, like(v)) })
}

// again executes the schedule once more as it was: a system that does something else
// every time is not late.
func (c *continuing) again(ctx context.Context, e *recording.Execution) error {
	x, err := c.target.Open(c.eot, true)
	if err != nil {
		return err
	}
	c.executions++
	again, _, err := x.Execute(ctx, c.schedule)
	if err != nil {
		return err
	}
	return Same(e, again)
}

// execute executes a schedule once, and says what it violates by each of these numbers of
// rounds.
func (c *continuing) execute(ctx context.Context, schedule rounds.Schedule, extents []int, goOn func(n int, violations []result.Violation) bool) error {
	x, err := c.target.Open(slices.Max(extents), false)
	if err != nil {
		return err
	}
	c.executions++
	c.rounds = extents[0]
	return x.Extents(ctx, schedule, extents, func(n int, violations []result.Violation) bool {
		c.reached = max(c.reached, n)
		if !goOn(n, violations) {
			return false
		}
		if i := slices.Index(extents, n) + 1; i < len(extents) {
			c.rounds = extents[i]
		}
		return true
	})
}

// continued says how far the execution went on.
func (c *continuing) continued() *result.Continued {
	return &result.Continued{Rounds: max(c.reached, c.eot), From: c.from, Seeds: c.seeds, Limit: c.limit, Unasked: c.unasked()}
}

// unasked returns the round from which on clients ask nobody that is up, where that is
// before the calm rounds; 0 if somebody is asked in them, or nobody at all.
func (c *continuing) unasked() int {
	asked := map[string]int{}
	maps.Copy(asked, c.target.Asked)
	for _, f := range c.schedule.Faults {
		if f.Kind == rounds.Choose {
			asked[f.Process] = max(asked[f.Process], f.Round)
		}
	}
	if len(asked) == 0 {
		return 0
	}
	last, down := 0, downBy(c.e, result.Violation{})
	for p, round := range asked {
		if _, is := down[p]; is { // what was asked before may have been heard
			round = min(round, c.from-1)
		}
		last = max(last, round)
	}
	if last >= c.from {
		return 0
	}
	return last + 1
}

// byEnd returns the violations that say that something has not happened.
func byEnd(violations []result.Violation) []result.Violation {
	return slices.DeleteFunc(slices.Clone(violations), func(v result.Violation) bool { return !v.ByEnd })
}

// same tells whether another execution has a violation as well: one of rules by
// its fact, one of a function, whose fact may have anything, by its property.
func same(v result.Violation) func(result.Violation) bool {
	return func(w result.Violation) bool {
		return w.Property == v.Property && w.ByEnd &&
			(v.Fact.Relation != "pre" || v.Fact.Relation == w.Fact.Relation && slices.Equal(v.Fact.Args, w.Fact.Args))
	}
}

func ofProperty(v result.Violation) func(result.Violation) bool {
	return func(w result.Violation) bool { return w.Property == v.Property }
}
