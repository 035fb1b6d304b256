package search

import (
	"context"
	"slices"
	"time"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Executions of one schedule may differ: always, if the processes say so, or where a
// recording is marked. A violation is then executed often, and counted.

// differs says why executions of the schedule of a recording may differ, "" if they
// cannot.
func (t *Target) differs(e *recording.Execution) string {
	if t.Inexact == "" && e != nil {
		return e.Inexact
	}
	return t.Inexact
}

// repetition has some executions of one schedule.
type repetition struct {
	target   *Target
	schedule rounds.Schedule
	eot      int
	as       *result.Violation // the wanted violation; nil: that of the first execution that breaks
	needed   int               // executions end when it is certain whether that many break; 0: all are made

	broken, otherwise, executions int

	first      *recording.Execution // that breaks
	violations []result.Violation   // of the execution
	continued  *result.Continued    // nil: they have eot rounds
}

// run makes no more than most executions. If the context ends before, this is no error:
// there are fewer executions.
func (r *repetition) run(ctx context.Context, most int) error {
	n := r.eot
	if r.as != nil && r.awaits(*r.as) {
		n = r.goOn()
	}
	x, err := r.target.Open(n, r.continued == nil)
	if err != nil {
		return err
	}
	for i := 0; i < most && !r.decided(most-i); i++ {
		e, violations, err := x.Execute(ctx, r.schedule)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		r.executions++
		if r.note(e, violations); r.as != nil && r.continued == nil && r.awaits(*r.as) {
			return r.again(ctx, most)
		}
	}
	return nil
}

// decided tells whether left further executions cannot change whether enough break.
func (r *repetition) decided(left int) bool {
	return r.needed > 0 && (r.broken >= r.needed || r.broken+left < r.needed)
}

// note counts an execution.
func (r *repetition) note(e *recording.Execution, violations []result.Violation) {
	if len(violations) == 0 {
		return
	}
	if r.as == nil {
		r.as = r.foremost(violations)
	}
	for _, v := range violations {
		if r.looked(v) {
			if r.broken++; r.first == nil {
				r.first, r.violations = e, violations
			}
			return
		}
	}
	r.otherwise++
}

// foremost returns the first violation that will not go away by itself, else the first.
func (r *repetition) foremost(violations []result.Violation) *result.Violation {
	for i, v := range violations {
		if !r.awaits(v) {
			return &violations[i]
		}
	}
	return &violations[0]
}

func (r *repetition) looked(v result.Violation) bool { return Alike(v, *r.as) }

// awaits tells whether a violation says that something has not happened, which may
// still happen.
func (r *repetition) awaits(v result.Violation) bool { return v.ByEnd && !r.target.Fixed }

// goOn continues all executions to the same number of rounds, the most of any: the number
// of executions in which something has not happened by then is what counts. It returns this
// number of rounds.
func (r *repetition) goOn() int {
	c := &continuing{target: r.target, schedule: r.schedule, eot: r.eot}
	c.extend()
	n := max(r.eot, c.longest())
	r.continued = &result.Continued{Rounds: n, From: c.from, Limit: c.limit}
	return n
}

// again begins afresh with longer executions, because the first that breaks says that
// something has not happened.
func (r *repetition) again(ctx context.Context, most int) error {
	first, violations := r.first, r.violations
	r.broken, r.otherwise, r.executions = 0, 0, 0
	err := r.run(ctx, most)
	if r.first = nil; r.broken > 0 { // the short one is easier to read
		r.first, r.violations = first, violations
	}
	return err
}

// count returns the counts of the executions.
func (r *repetition) count(why string) *result.Repeats {
	return &result.Repeats{Broken: r.broken, Otherwise: r.otherwise, Executions: r.executions, Why: why}
}

// Repeat executes a counterexample as often as executions that may differ are executed, for
// the reason why, and adds to c how often it breaks. It returns the number of executions.
func (t *Target) Repeat(ctx context.Context, c *result.Counterexample, eot int, why string) (executions int, err error) {
	ctx, cancel := t.Longer(ctx)
	defer cancel()
	r := &repetition{target: t, schedule: c.Schedule, eot: eot, as: &c.Violations[0]}
	if err := r.run(ctx, result.RepeatedExecutions); err != nil {
		return r.executions, err
	}
	r.fill(c, why)
	return r.executions, nil
}

// fill adds the counts of the executions to a counterexample.
func (r *repetition) fill(c *result.Counterexample, why string) {
	c.Repeats = r.count(why)
	c.Confirmed, c.Minimal, c.Irreducible, c.Among = c.Repeats.All(), false, false, ""
	if r.continued == nil && r.broken > 0 {
		c.Execution, c.Violations = r.first, leading(r.violations, r.looked)
	}
	if r.continued != nil {
		c.Continued = r.continued
	}
}

// leading returns violations with a wanted one in front.
func leading(violations []result.Violation, looked func(result.Violation) bool) []result.Violation {
	var first, others []result.Violation
	for _, v := range violations {
		if len(first) == 0 && looked(v) {
			first = append(first, v)
		} else {
			others = append(others, v)
		}
	}
	return append(first, others...)
}

// After the end of a search so long is taken to confirm a violation that was found: longer
// where each execution executes programs, beside whatever else the machine does.
const (
	afterwards    = time.Second
	AfterPrograms = 30 * time.Second
)

// Longer returns a context that ends some time after ctx, for confirming results.
func (t *Target) Longer(ctx context.Context) (context.Context, context.CancelFunc) {
	after := afterwards
	if slices.Contains(t.Offers, OffersSignals) {
		after = AfterPrograms
	}
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(after, cancel) })
	return late, func() { stop(); cancel() }
}
