package search

import (
	"context"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs"
)

// Warn adds to an answer what its system says about an execution without faults, even when
// the time is up. A system that has nothing to say is not executed for that.
func (s *Session) Warn(ctx context.Context, a *result.Answer) {
	if s.System == nil || s.System.Warnings == nil {
		return
	}
	r := s.System.NewRunner()
	r.Options = system.RunOptions{Rounds: s.Bounds.EOT, Record: true, FactsOnly: true}
	err := r.Run(context.WithoutCancel(ctx), s.With(rounds.Schedule{}))
	if err != nil && !Panics(err) { // of which the search has told
		return
	}
	for _, message := range r.Execution().Warnings {
		a.Warnings = append(a.Warnings, specs.Warning{Position: specs.Position{File: s.Name}, Message: text.Safe(message)})
	}
}
