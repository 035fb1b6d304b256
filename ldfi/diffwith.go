package ldfi

import (
	"context"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/provenance/explain"
	"github.com/lineage-driven/ldfi/rounds"
)

// DiffWith is Diff of two versions of a program under one schedule s. It explains why m
// breaks the promise that other keeps, beginning with a fact for which only one of them
// has a rule. Both models must have the same processes and rounds, and s must be a
// schedule of both. If only other breaks what m keeps, m and other are swapped. No
// fault is left out.
func (m *Model) DiffWith(ctx context.Context, other *Model, s rounds.Schedule) (*result.Difference, error) {
	if err := m.onlyRun(); err != nil {
		return nil, err
	}
	if err := causality.Comparable(m.name(), m.bounds, other.name(), other.bounds); err != nil {
		return nil, err
	}
	bad, err := m.version(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.name(), err)
	}
	good, err := other.version(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", other.name(), err)
	}
	d := &versions{good: good, bad: bad, Difference: &result.Difference{}}
	if d.Bad, err = bad.named(ctx, s); err != nil {
		return nil, err
	}
	if d.Good, err = good.named(ctx, s); err != nil {
		return nil, err
	}
	outcomes := broken(d.Good, d.Bad)
	if len(outcomes) == 0 {
		if outcomes = broken(d.Bad, d.Good); len(outcomes) > 0 {
			d.Good, d.Bad, d.good, d.bad = d.Bad, d.Good, bad, good
		}
	}
	if len(outcomes) > 0 {
		if err := d.compare(ctx, s, outcomes); err != nil {
			return nil, err
		}
	}
	d.Text = causality.Describe(d.Difference, m.bounds).Sentences()
	return d.Difference, nil
}

// versions is one call of DiffWith.
type versions struct {
	good, bad *version
	*result.Difference
}

// name is the name of the program in a difference.
func (m *Model) name() string {
	if m.options.Version != "" {
		return m.options.Version
	}
	return firstFile(m.program)
}

// named is the side of a version under a schedule.
func (v *version) named(ctx context.Context, s rounds.Schedule) (result.Side, error) {
	side, err := v.side(ctx, s)
	side.Version = v.name()
	return side, err
}

// compare explains the first of some outcomes in which a fact differs.
func (d *versions) compare(ctx context.Context, s rounds.Schedule, outcomes []result.Violation) error {
	relations := slices.Concat(d.good.involved(), d.bad.involved())
	good, err := d.good.explainer(ctx, s, relations)
	if err != nil {
		return err
	}
	bad, err := d.bad.explainer(ctx, s, relations)
	if err != nil {
		return err
	}
	c := explain.NewContrast(good, bad)
	for _, outcome := range outcomes {
		if d.Changes, d.Chain = c.Of(differing(c, outcome)); len(d.Changes) > 0 {
			break
		}
	}
	d.Outcome = len(d.Changes)
	return nil
}

// involved returns the relations that the promise depends on.
func (v *version) involved() (names []string) {
	for _, r := range v.program.Slice(v.executor.promise.relations()...).Relations() {
		names = append(names, r.Name)
	}
	return names
}

// explainer explains the facts of a schedule, in those of the relations that the program
// has: relations on which one version depends are evaluated for the other one too.
func (v *version) explainer(ctx context.Context, s rounds.Schedule, relations []string) (*explain.Explainer, error) {
	var own []string
	for _, r := range v.program.Relations() {
		if slices.Contains(relations, r.Name) {
			own = append(own, r.Name)
		}
	}
	worlds, err := provenance.Worlds(ctx, v.program, v.bounds, v.limits(own...), s)
	if err != nil {
		return nil, err
	}
	return explain.New(worlds[0]), nil
}
