package wire

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// progressPause is the least time between two lines of progress.
const progressPause = 200 * time.Millisecond

// search searches the system as the host has it.
func (x *runner) search(ctx context.Context, r request, progress func(search.Progress)) (answer, error) {
	t := search.Target{System: x.system, Settings: r.Settings}
	if r.Bounds != nil {
		t.Bounds = *r.Bounds
	}
	if t.Bounds.EOT > maxRounds {
		return answer{}, tooManyRounds(t.Bounds.EOT)
	}
	t.Bounds = search.DefaultBounds(x.system, t.Bounds)
	for _, c := range x.checkers {
		t.Properties = append(t.Properties, c.Property())
	}
	strategy, why, err := chosen(r.Strategy, t)
	if err != nil {
		return answer{}, err
	}
	found, err := strategy.Search(ctx, t, search.Options{
		Seed: r.Seed, Executions: r.Executions, Whole: r.Whole, Progress: progress,
	})
	if err != nil {
		return answer{}, err
	}
	found.Search.Why = why
	return answer{Answer: found}, nil
}

// chosen returns the strategy of that name, or the one that fits.
func chosen(name string, t search.Target) (search.Strategy, string, error) {
	if name == "" {
		s, why := search.Default(t)
		return s, why, nil
	}
	s, err := search.Named(name)
	return s, name + ", as asked", err
}

// Target returns the system as something that is searched from here, by
// executing whole schedules.
func (s *System) Target(b rounds.Bounds) search.Target {
	local := s.Local()
	t := search.Target{System: local, Bounds: search.DefaultBounds(local, b)}
	t.Execute = s.executing(t.Bounds.EOT, Violated)
	return t
}

// executing executes schedules for so many rounds.
func (s *System) executing(eot int, r Recording) func(context.Context, rounds.Schedule) (*recording.Execution, []result.Violation, error) {
	return func(ctx context.Context, schedule rounds.Schedule) (*recording.Execution, []result.Violation, error) {
		return s.Execute(ctx, schedule, eot, r)
	}
}

// Search searches the system, with the strategy of that name or, if it is empty,
// with the one that fits. The host searches
// by itself if it can: then all strategies are possible that fit the system.
// Otherwise those are that draw schedules, and lineage. Of the options it heeds the seed, the
// number of executions, whether a schedule is to be kept whole, and progress.
func (s *System) Search(ctx context.Context, strategy string, t search.Target, o search.Options) (*result.Answer, error) {
	if len(s.remote.strategies) == 0 || len(s.checked) > 0 {
		return s.draw(ctx, strategy, t, o)
	}
	if strategy != "" && !slices.Contains(s.remote.strategies, strategy) {
		if _, err := search.Named(strategy); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("the host does not have the strategy %s", strategy)
	}
	if o.Progress == nil {
		o.Progress = func(search.Progress) {}
	}
	q := request{
		Do: doSearch, System: s.Name, Strategy: strategy, Bounds: &t.Bounds, Settings: t.Settings,
		Seed: o.Seed, Executions: o.Executions, Whole: o.Whole,
	}
	a, err := s.remote.ask(ctx, q, 0, o.Progress)
	if err != nil {
		return nil, err
	}
	if a.Answer == nil {
		return nil, errNoAnswer
	}
	if err := checkAnswer(a.Answer, s.Name); err != nil {
		return nil, fmt.Errorf("the answer of the host: %w", err)
	}
	return a.Answer, nil
}

// draw searches a system by executing schedules that are chosen here.
func (s *System) draw(ctx context.Context, name string, t search.Target, o search.Options) (*result.Answer, error) {
	strategy, why := search.Spread, "spread, because the host executes schedules and does not search by itself"
	if name != "" {
		var err error
		if strategy, err = search.Named(name); err != nil {
			return nil, err
		}
		why = name + ", as asked"
	}
	if strategy == search.Lineage {
		t.Execute = s.executing(t.Bounds.EOT, Always)
	}
	if !slices.Contains([]search.Strategy{search.Lineage, search.Spread, search.Sample, search.Drop}, strategy) {
		return nil, fmt.Errorf("strategy %s looks into the processes, and the host only executes schedules", name)
	}
	o.Workers = manyWorkers
	a, err := strategy.Search(ctx, t, o)
	if err != nil {
		return nil, err
	}
	a.Search.Why = why
	return a, nil
}

// manyWorkers keeps a host busy: most of them wait for it.
const manyWorkers = 16
