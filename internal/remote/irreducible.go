package remote

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"golang.org/x/sync/errgroup"
)

// believeIrreducible executes a counterexample without each of its faults, if the host
// claims that none can be left out. The host does not say which violation it means: one of
// them has to need all faults. If it claims that no schedule has fewer faults, no property
// may be violated.
func (s *System) believeIrreducible(ctx context.Context, c *result.Counterexample, eot int) error {
	if !c.Irreducible && !c.Minimal {
		return nil
	}
	var mutex sync.Mutex
	needed := slices.Clone(c.Violations) // the violations that no execution with fewer faults has shown
	var without rounds.Schedule
	var all errgroup.Group
	all.SetLimit(manyWorkers)
	for _, fewer := range s.withoutOne(c.Schedule, eot) {
		all.Go(func() error {
			violations, err := s.remaining(ctx, fewer, eot)
			mutex.Lock()
			defer mutex.Unlock()
			before := len(needed)
			needed = slices.DeleteFunc(needed, func(v result.Violation) bool {
				return slices.ContainsFunc(violations, func(w result.Violation) bool { return search.Alike(v, w) })
			})
			if c.Minimal && fewer.Size() < c.Size && len(violations) > 0 {
				needed = nil
			}
			if len(needed) < before {
				without = fewer
			}
			return err
		})
	}
	if err := all.Wait(); err != nil || len(needed) > 0 {
		return err
	}
	return fmt.Errorf("the host says that no fault of the schedule %q can be left out, and %s is violated under %q as well", c.Schedule, violated(c), without)
}

// violated names the violations that fewer faults than those of a counterexample must not
// have.
func violated(c *result.Counterexample) string {
	if c.Minimal {
		return "a property"
	}
	return "what it violates"
}

// withoutOne returns the schedules without one fault each that can be executed: a restart
// needs its crash. Choices are left out as well.
func (s *System) withoutOne(schedule rounds.Schedule, eot int) []rounds.Schedule {
	var all []rounds.Schedule
	for i := range schedule.Faults {
		fewer := schedules.Without(schedule, i)
		if fewer.Check(rounds.Bounds{Processes: s.Processes, EOT: eot, Points: s.Points, Choose: execution.Chosen(schedule)}) == nil {
			all = append(all, fewer)
		}
	}
	return all
}

// remaining returns the violations of a schedule that remain when its execution is
// continued.
func (s *System) remaining(ctx context.Context, schedule rounds.Schedule, eot int) ([]result.Violation, error) {
	e, violations, err := s.Execute(ctx, schedule, eot, messages.Always)
	if err != nil {
		return nil, err
	}
	after, err := s.GoOn(ctx, e, violations)
	if err != nil {
		return nil, err
	}
	return after.Left, nil
}
