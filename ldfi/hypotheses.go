package ldfi

import (
	"context"
	"time"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// HypothesesReport lists the fault sets that break the promise under
// assumptions.
type HypothesesReport struct {
	Hypotheses []Counterexample // smallest first, each executed and confirmed
	Complete   bool             // there are no further ones
	Conflict   *Conflict        // why there are none, if there are none
	Scope      Scope
	Warnings   []specs.Warning
	Stats      Stats
	Limit      *Limit // what stopped the search before its end, if something did
}

// Hypotheses lists minimal fault sets within the bounds that break the
// promise, at most o.Max of them, under assumptions. An assumption is a pattern
// over faults as [rounds.ParsePattern] reads it ("crash a@2", "omit *>c"), or a
// fact ("post(c, \"hello\")@6", without "@6" one in any round); of what matches,
// something is required, or everything is forbidden. A set is minimal if no part
// of it breaks the promise and meets the assumptions.
func Hypotheses(ctx context.Context, p *dedalus.Program, b rounds.Bounds, require, forbid []string, o Options) (*HypothesesReport, error) {
	start := time.Now()
	if err := b.Validate(); err != nil {
		return nil, err
	}
	b, o = b.Normal(), o.normal()
	assumed, err := assumptionsOf(p, b, require, forbid)
	if err != nil {
		return nil, err
	}
	r := &HypothesesReport{
		Scope:    Scope{Bounds: b, Scenarios: b.Scenarios()},
		Warnings: staticWarnings(p, b),
	}
	growth, err := r.fill(ctx, p, o, assumed)
	if r.Limit = limitOf(ctx, err); r.Limit != nil {
		r.Limit.advise(growth, 0, b.EOT)
	} else if err != nil {
		return nil, err
	}
	r.Stats.Times.Total = time.Since(start)
	return r, nil
}

// fill finds the fault sets, or why there are none. It returns how large the
// relations are.
func (r *HypothesesReport) fill(ctx context.Context, p *dedalus.Program, o Options, assumed []*assumption) ([]result.Growth, error) {
	t, err := newTrial(ctx, p, r.Scope.Bounds, o)
	if err != nil {
		return nil, err
	}
	err = t.hypothesise(ctx, r, assumed)
	r.Stats = t.stats()
	return t.growth, err
}

// hypothesise puts the fault sets that meet assumptions in a report.
func (t *trial) hypothesise(ctx context.Context, r *HypothesesReport, assumed []*assumption) error {
	if err := t.assume(ctx, assumed); err != nil {
		return err
	}
	a, err := t.decide(ctx)
	r.Hypotheses, r.Complete = a.found, a.complete
	r.Warnings = t.warnings(r.Warnings)
	if err != nil || len(a.found) > 0 {
		return err
	}
	r.Conflict, err = t.conflict(ctx, assumed)
	return err
}

// assume evaluates the program and aims at schedules that meet assumptions.
func (t *trial) assume(ctx context.Context, assumed []*assumption) error {
	for _, a := range assumed {
		if a.fact != nil {
			t.also = append(t.also, a.fact.Relation)
		}
	}
	if err := t.evaluate(ctx); err != nil {
		return err
	}
	conditions := make([]solver.Lit, len(assumed))
	for i, a := range assumed {
		a.condition(t.graph)
		conditions[i] = a.holds
	}
	return t.aim(conditions...)
}
