package system

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// Varies tells whether executions with the settings and the same faults can differ:
// because ticks are drawn, or how far processes are apart, or a process draws random numbers in the execution without
// faults. If that execution fails, Varies returns false.
func (s *System) Varies(ctx context.Context, settings rounds.Settings) bool {
	if least, most := s.tickRange(); least != most && !settings.Ticks.Given {
		return true
	}
	if settings.Seed.Given {
		return false
	}
	if s.Apart.Rounds > 0 {
		return true
	}
	r := s.NewRunner()
	if r.Run(ctx, rounds.Schedule{Settings: settings}) != nil {
		return false
	}
	return slices.ContainsFunc(r.processes, func(p *participant) bool { return p.random.source.drawn > 0 })
}
