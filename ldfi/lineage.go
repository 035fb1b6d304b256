package ldfi

import (
	"context"
	"errors"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/solver"
)

// Lineage is the evaluation of the whole program of a model over all schedules within
// the bounds.
type Lineage struct {
	Graph    *provenance.Graph // all facts, and all messages ([provenance.Graph.Sends])
	Promised bool              // whether the program promises something
	Goals    []Goal            // every way in which some schedule may break the promise
}

// Goal is one way in which the promise can be broken.
type Goal struct {
	Violation result.Violation
	Broken    solver.Lit // the condition under which the promise is broken in this way
}

// Lineage evaluates the whole program over all schedules within the bounds, in at most
// steps steps of work (0: any number). Limits and a cancelled context are errors.
func (m *Model) Lineage(ctx context.Context, steps int64) (*Lineage, error) {
	if err := m.onlyRun(); err != nil {
		return nil, err
	}
	limits := m.limits()
	limits.Messages, limits.MaxSteps = true, steps
	g, err := provenance.Evaluate(ctx, m.program, m.bounds, limits)
	if err != nil {
		return nil, err
	}
	x, _, err := newExecutor(ctx, m)
	if errors.As(err, new(*NoPromiseError)) {
		return &Lineage{Graph: g}, nil
	}
	if err != nil {
		return nil, err
	}
	all := &Lineage{Graph: g, Promised: true}
	for _, goal := range x.promise.goals(g) {
		stated := m.stated([]result.Violation{goal.violation})
		all.Goals = append(all.Goals, Goal{stated[0], goal.broken})
	}
	return all, g.Circuit.Err()
}
