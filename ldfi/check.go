package ldfi

import (
	"context"
	"sync"
	"time"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Check decides whether some schedule within the bounds makes the program
// break its promise. It returns an error when the question cannot be asked (a
// [NoPromiseError], bad bounds, a program without a meaning in some scenario)
// and for an [InternalError]; limits and a cancelled context give a report with
// the verdict Inconclusive, or Violated if a violation was known by then.
func Check(ctx context.Context, p *dedalus.Program, b rounds.Bounds, o Options) (*Report, error) {
	start := time.Now()
	if err := b.Validate(); err != nil {
		return nil, err
	}
	o = o.normal()
	c := &check{program: p, bounds: b.Normal(), options: o}
	c.options.Progress = oneAtATime(o.Progress)
	r, err := c.run(ctx)
	if err != nil {
		return nil, err
	}
	r.Stats.Times.Total = time.Since(start)
	return r, nil
}

// check is one call of Check.
type check struct {
	program *dedalus.Program
	bounds  rounds.Bounds
	options Options
}

// run decides all rounds at once, and smaller numbers of rounds only if that
// does not come to its end, or takes long.
func (c *check) run(ctx context.Context) (*Report, error) {
	r := &Report{
		Verdict:  Inconclusive,
		Warnings: staticWarnings(c.program, c.bounds),
		Scope:    Scope{Bounds: c.bounds, Scenarios: c.bounds.Scenarios()},
	}
	fallback := c.deepenLater(ctx)
	defer fallback.stop()
	growth, err := c.full(ctx, r)
	if r.Limit = limitOf(ctx, err); err != nil && r.Limit == nil {
		return nil, err
	}
	if r.Verdict == Inconclusive {
		d, err := fallback.result()
		if err != nil {
			return nil, err
		}
		r.settleFor(d)
	}
	if r.Verdict != Inconclusive {
		r.Decided = c.bounds.EOT
	}
	if r.Limit != nil {
		r.Limit.advise(growth, r.Decided, c.bounds.EOT)
	}
	return r, nil
}

// settleFor takes over what is known from smaller numbers of rounds.
func (r *Report) settleFor(d deepened) {
	r.Horizons = d.horizons
	if len(d.horizons) > 0 {
		r.Decided = d.horizons[len(d.horizons)-1].EOT
	}
	r.Stats.Executions += d.executions
	r.Stats.SolverCalls += d.calls
	if d.found != nil {
		r.Verdict = Violated
		r.Counterexamples = []Counterexample{*d.found}
		r.Violations = d.found.Violations
	}
}

// full decides all rounds. What it finds before an error is in the report. It
// returns how large the relations are.
func (c *check) full(ctx context.Context, r *Report) ([]result.Growth, error) {
	t, err := newTrial(ctx, c.program, c.bounds, c.options)
	if err != nil {
		return nil, err
	}
	err = t.fill(ctx, r)
	r.Stats = t.stats()
	return t.growth, err
}

// fill puts what a trial finds in a report.
func (t *trial) fill(ctx context.Context, r *Report) error {
	if err := t.evaluate(ctx); err != nil {
		return err
	}
	a, err := t.decide(ctx)
	r.Warnings = t.warnings(r.Warnings)
	if len(a.found) == 0 && err != nil {
		return err
	}
	r.Verdict, r.Counterexamples, r.Complete = a.verdict(), a.found, a.complete
	if len(a.found) > 0 {
		r.Violations = a.found[0].Violations
	}
	if err != nil {
		return err
	}
	r.Vacuity, err = t.vacuity(ctx)
	return err
}

func (t *trial) stats() Stats {
	s := Stats{
		Facts:       t.facts,
		SolverCalls: t.calls,
		Executions:  t.executor.executions,
		Times:       Times{Evaluate: t.evaluating, Search: t.searching, Execute: t.executor.spent},
	}
	if t.graph != nil {
		s.Gates = t.graph.Circuit.Gates()
	}
	return s
}

// oneAtATime makes calls wait for each other.
func oneAtATime(tell func(Progress)) func(Progress) {
	var one sync.Mutex
	return func(p Progress) {
		one.Lock()
		defer one.Unlock()
		tell(p)
	}
}
