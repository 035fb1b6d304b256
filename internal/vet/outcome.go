package vet

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// outcome is how a promise comes out: what it says in the last round, and whether
// something is violated in any.
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

// broken returns a fact that a schedule makes hold and that the program forbids, or one
// that it lacks and that is asked for. Of good nothing is judged.
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
