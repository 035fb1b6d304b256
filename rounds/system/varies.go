package system

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// Varies tells whether executions with these settings can differ although their
// faults are the same: their ticks are drawn, or a process draws random numbers,
// in the execution without faults at least. An execution that fails does not
// vary.
func (s *System) Varies(ctx context.Context, settings rounds.Settings) bool {
	if least, most := s.tickRange(); least != most && !settings.Ticks.Given {
		return true
	}
	if settings.Seed.Given {
		return false
	}
	r := s.NewRunner()
	if r.Run(ctx, rounds.Schedule{Settings: settings}) != nil {
		return false
	}
	return slices.ContainsFunc(r.processes, func(p *participant) bool { return p.random.source.drawn > 0 })
}
