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

// calmTimes are the factors by which a continued execution has more calm rounds. Each is
// executed with its own seed, and with calmSeeds other seeds for the draws in calm rounds.
var calmTimes = []int{2, 4, 8}

const calmSeeds = 3

// mostContinued is the most executions that continuing one execution takes, if each number
// of rounds takes an execution of its own: with its seed and each other seed unchanged, and
// with each factor of calm rounds.
const mostContinued = (1 + calmSeeds) * (1 + 3)

// MostRounds returns the most rounds to which an execution of eot rounds is continued.
func MostRounds(eot int) int { return slices.Max(calmTimes) * (eot + 1) }

// Aftermath is the result of continuing an execution with violations.
type Aftermath struct {
	Left       []result.Violation // that are left
	Continued  *result.Continued  // nil: no execution had to continue, or no violation is left
	Awaited    []result.Violation // that say that something has not happened, which happens later
	Late       *result.Late       // nil: nothing does
	Executions int
}

// GoOn continues an execution at whose end something has not happened
// ([property.Property.ByEnd]). That is a violation only if it still has not happened with
// more calm rounds, and with other draws in them. If it happens with one seed, and not with
// others, it is late: liveness is promised with probability, and an execution is stuck if
// no choice leads out of it. Other violations stand unchanged, and all do if the number of
// rounds is fixed.
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

// all continues the execution in every way.
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
		} else if c.broken {
			after.Late.Broken = 1
		}
	}
	return after, nil
}

// continuing continues one execution.
type continuing struct {
	target  *Target
	e       *recording.Execution
	found   []result.Violation // of the execution
	awaited []result.Violation // the violations in found that may be late
	needed  bool               // some may be
	exact   bool               // other executions of the schedule do the same
	own     bool               // it went on with its own seed
	over    bool               // other seeds show nothing more
	broken  bool               // it violates something else, with its own seed
	left    []result.Violation // of awaited, the violations left so far

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

// extend sets the numbers of rounds to which the execution continues. The calm rounds are
// those after the last fault, and at least half of all: a fault in the last round leaves no
// time.
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

// itself continues with the seed of the execution, if that was not done yet.
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

// others continues with other seeds.
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

// failed records that an execution failed while it continued: it does not continue any
// further. It returns any other error.
func (c *continuing) failed(ctx context.Context, err error) error {
	if failed := (*ExecutionError)(nil); ctx.Err() == nil && errors.As(err, &failed) && len(c.left) > 0 {
		c.limit, c.over = fmt.Sprintf("going on to round %d, %v", c.rounds, failed.Err), true
		return nil
	}
	return err
}

// everStuck returns the awaited violations that are left in executions from the beginning:
// if executions differ, none continues another. There are as many executions as there are
// seeds otherwise.
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

// longest returns the most rounds to which the execution continues.
func (c *continuing) longest() int { return slices.Max(append(c.extents, c.eot)) }

// reseeded returns the violations of left that remain when other numbers are drawn in calm
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

// extended returns the violations of left that remain at each number of rounds. If the
// execution fails, the violations so far remain.
func (c *continuing) extended(ctx context.Context, schedule rounds.Schedule, left []result.Violation) ([]result.Violation, error) {
	if len(c.extents) == 0 {
		return left, nil
	}
	err := c.execute(ctx, schedule, c.extents, func(_ int, violations []result.Violation) bool {
		left = those(left, violations, same)
		c.broken = c.broken || slices.ContainsFunc(violations, func(v result.Violation) bool { return !v.ByEnd && !slices.ContainsFunc(c.found, same(v)) })
		return len(left) > 0
	})
	return left, err
}

// those returns the violations of all that are like one of others.
func those(all, others []result.Violation, like func(result.Violation) func(result.Violation) bool) []result.Violation {
	return slices.DeleteFunc(slices.Clone(all), func(v result.Violation) bool { return !slices.ContainsFunc(others, like(v)) })
}

// again executes the schedule once more unchanged: a system whose executions always differ
// is not late.
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

// execute executes a schedule once, and passes the violations at each number of rounds to
// goOn.
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

// continued returns how the execution was continued.
func (c *continuing) continued() *result.Continued {
	return &result.Continued{Rounds: max(c.reached, c.eot), From: c.from, Seeds: c.seeds, Limit: c.limit, Unasked: c.unasked()}
}

// unasked returns the round from which on clients send no requests to processes that are
// up, if that round is before the calm rounds. It returns 0 if there are requests in the
// calm rounds, or none at all.
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
		if _, is := down[p]; is { // earlier requests may have been received
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

// same returns a function that tells whether another violation is the same: by its fact for
// rules, and by its property for a function, whose fact may have any content.
func same(v result.Violation) func(result.Violation) bool {
	return func(w result.Violation) bool {
		return w.Property == v.Property && w.ByEnd &&
			(v.Fact.Relation != "pre" || v.Fact.Relation == w.Fact.Relation && slices.Equal(v.Fact.Args, w.Fact.Args))
	}
}

func ofProperty(v result.Violation) func(result.Violation) bool {
	return func(w result.Violation) bool { return w.Property == v.Property }
}
