package vet

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// outcome is the outcome of a promise: its relations in the last round, and whether there
// is a violation in any round.
func (f *finder) outcome(ctx context.Context, s rounds.Schedule) ([]string, error) {
	run, err := f.executor.run(ctx, s)
	if err != nil {
		return nil, err
	}
	var facts []string
	for _, relation := range f.promise {
		first := f.bounds.EOT
		if relation == "violation" {
			first = 1
		}
		for round := first; round <= f.bounds.EOT; round++ {
			for _, args := range run.Facts(relation, round) {
				facts = append(facts, state{{Relation: relation, Args: args}}.String())
			}
		}
	}
	slices.Sort(facts)
	return slices.Compact(facts), nil
}

// agree tells whether a promise comes out alike in two executions.
func (f *finder) agree(ctx context.Context, s, t rounds.Schedule) (bool, error) {
	one, err := f.outcome(ctx, s)
	if err != nil {
		return false, err
	}
	other, err := f.outcome(ctx, t)
	return slices.Equal(one, other), err
}

// broken returns a fact that holds under a schedule and that the program forbids, or one
// that it requires and that is missing. It does not judge good.
func (f *finder) broken(ctx context.Context, s rounds.Schedule) (string, error) {
	run, err := f.executor.run(ctx, s)
	if err != nil {
		return "", err
	}
	for round := 1; round <= f.bounds.EOT; round++ {
		for _, args := range run.Facts("violation", round) {
			return recording.Fact{Relation: "violation", Args: args, Round: round}.String() + " holds", nil
		}
	}
	for _, args := range run.Facts("pre", f.bounds.EOT) {
		if !f.witnessed && !run.Has("post", args, f.bounds.EOT) {
			return recording.Fact{Relation: "post", Args: args, Round: f.bounds.EOT}.String() + " is missing", nil
		}
	}
	return "", nil
}
