package subject

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/report"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/provenance/explain"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
)

// ship adds the conditions of all facts and messages to a page, so that the page can show
// executions under other faults. If the conditions are left out, the page says why.
func (p *OpenedProtocol) ship(ctx context.Context, to *report.Page, words report.Words) error {
	l, err := p.model.Lineage(ctx, explain.MostSteps)
	if err == nil {
		of := func(atoms explain.Atoms) (*explain.Circuit, error) {
			var goals []explain.Goal
			for _, g := range l.Goals {
				goals = append(goals, explain.Goal(g))
			}
			return explain.NewCircuit(l.Graph, atoms, l.Promised, goals)
		}
		if err = explain.SmallCircuit(of); err == nil {
			to.Circuit, err = of(to)
			if plain(l) {
				to.Inject = text.Safe(words.Replay(rounds.Schedule{}))
			}
			return err
		}
	}
	if !tooMuch(err) {
		return err
	}
	to.Fixed = fmt.Sprintf("faults cannot be changed in this page: %s", err)
	return nil
}

// plain tells whether all faults of a lineage, and the messages that they remove, can be
// written unchanged.
func plain(l *ldfi.Lineage) bool {
	universe := l.Graph.Universe
	for unit := range universe.Len() {
		if s := universe.Fault(unit).String(); text.Safe(s) != s {
			return false
		}
	}
	return !slices.ContainsFunc(l.Goals, func(g ldfi.Goal) bool {
		written := g.Violation.Fact.String()
		return text.Safe(written) != written
	})
}

// tooMuch tells whether the conditions of a program cannot be had, or are too large.
func tooMuch(err error) bool {
	return errors.As(err, new(*limits.LimitError)) || errors.As(err, new(*solver.LimitError)) || errors.As(err, new(*explain.LargeError)) ||
		errors.As(err, new(*limits.UndefinedError)) || errors.As(err, new(*limits.RunawayError))
}
