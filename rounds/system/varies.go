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
func (s *System) Varies(ctx context.Context, settings rounds.Schedule) bool {
	_, ticks := settings.Setting(rounds.Ticks)
	_, seed := settings.Setting(rounds.Seed)
	if least, most := s.tickRange(); least != most && !ticks {
		return true
	}
	if seed {
		return false
	}
	r := s.NewRunner()
	if r.Run(ctx, settings) != nil {
		return false
	}
	return slices.ContainsFunc(r.processes, func(p *participant) bool { return p.random.source.drawn > 0 })
}
