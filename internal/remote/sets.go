package remote

import (
	"context"
	"runtime"

	"github.com/lineage-driven/ldfi/internal/search"
)

// Sets lets hosts execute all schedules, fewest faults first, and returns the sets of
// faults that do something.
func (s *System) Sets(ctx context.Context, o search.Options, wanted search.Wanted) (*search.Sets, error) {
	o.Bounds, o.Workers = s.Whole(o.Bounds), manyWorkers
	target := s.Target
	if s.remote.workers < 2 || s.Single {
		hosts := s.remote.several(runtime.GOMAXPROCS(0))
		defer hosts.close()
		target.Open = s.openOn(hosts.host)
	}
	session, err := search.NewSession(&target, o)
	if err != nil {
		return nil, err
	}
	return session.Sets(ctx, wanted)
}
