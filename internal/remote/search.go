package remote

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// executor executes schedules with eot rounds.
type executor struct {
	system    *System
	host      func() *Remote // of the next execution
	rounds    int
	recording messages.Recording
}

// Execute executes a schedule on a host.
func (x *executor) Execute(ctx context.Context, s rounds.Schedule) (*recording.Execution, []result.Violation, error) {
	search.Spend(ctx, x.rounds)
	return x.system.executeOn(ctx, x.host(), s, x.rounds, x.recording)
}

// Extents executes a schedule on a host, which sends the violations at each number of
// rounds, in one execution if it can do that.
func (x *executor) Extents(ctx context.Context, s rounds.Schedule, extents []int, goOn func(n int, violations []result.Violation) bool) error {
	host := x.host()
	if host.extents && len(x.system.checked) == 0 {
		return x.system.extentsOn(ctx, host, s, extents, goOn)
	}
	return search.EachExtent(ctx, s, extents, func(n int) ([]result.Violation, error) {
		_, violations, err := x.system.executeOn(ctx, host, s, n, messages.Never)
		return violations, err
	}, goOn)
}

// extentsOn executes a schedule on a host once.
func (s *System) extentsOn(ctx context.Context, host *Remote, schedule rounds.Schedule, extents []int, goOn func(n int, violations []result.Violation) bool) error {
	schedule = schedule.Normal()
	if err := host.checkKnown(schedule); err != nil {
		return err
	}
	q := messages.Request{Do: messages.DoRun, System: s.Name, Schedule: &schedule, Rounds: slices.Max(extents), Recording: messages.Never, Extents: extents}
	a, err := host.ask(ctx, q, host.options.Answer, nil)
	if refused := refusal(""); errors.As(err, &refused) {
		return &search.ExecutionError{Schedule: schedule, Err: err}
	}
	if err != nil {
		return err
	}
	if err := s.believeUnjudged(a); err != nil {
		return fmt.Errorf("the answer of the host to the schedule %q: %w", schedule, err)
	}
	for i, n := range extents {
		switch {
		case i < len(a.Extents) && a.Extents[i].Rounds == n:
		case a.Failed != "":
			return &search.ExecutionError{Schedule: schedule, Err: errors.New(beginning(a.Failed))}
		case a.Unjudged != nil:
			return &limits.UnjudgedError{Property: a.Unjudged.Property, Why: a.Unjudged.Why, Schedule: schedule}
		default:
			return fmt.Errorf("the answer of the host to the schedule %q: it does not say what is violated by round %d", schedule, n)
		}
		violations, err := s.believeViolations(a.Extents[i].Violations, n)
		if err != nil {
			return fmt.Errorf("the answer of the host to the schedule %q: %w", schedule, err)
		}
		if !goOn(n, violations) {
			search.Spend(ctx, n)
			return nil
		}
	}
	search.Spend(ctx, slices.Max(extents))
	return nil
}

// openOn returns a function that opens executors of the system, as search.Target describes.
// Each execution is made by the host that the function host returns.
func (s *System) openOn(host func() *Remote) func(eot int, record bool) (search.Executor, error) {
	return func(eot int, record bool) (search.Executor, error) {
		x := &executor{s, host, eot, messages.Violated}
		if record {
			x.recording = messages.Always
		}
		return x, nil
	}
}

// Search searches the system within the bounds of the options or, if those allow no fault,
// within its default bounds. The host searches by itself if it can: then all strategies
// that fit the system are possible. Otherwise only strategies that do not look into
// processes are possible.
func (s *System) Search(ctx context.Context, o search.Options) (*result.Answer, error) {
	if o.Guide == nil {
		o.Bounds = s.Whole(o.Bounds)
	}
	if err := s.remote.checkKinds(o.Bounds); err != nil {
		return nil, err
	}
	if s.remote.options.Alone {
		return s.searchAlone(ctx, o)
	}
	if s.searchedHere(&o) {
		return s.searchHere(ctx, o)
	}
	if err := s.has(o.Strategy); err != nil {
		return nil, err
	}
	a, err := s.remote.ask(ctx, messages.Request{Do: messages.DoSearch, System: s.Name, Options: o}, 0, s.believeProgress(&o))
	if err != nil {
		return nil, err
	}
	if a.Answer == nil {
		return nil, errors.New("the host answered a search without its answer")
	}
	if err := s.believeAnswer(a.Answer, &o, ctx.Err() != nil); err != nil {
		return nil, fmt.Errorf("the answer of the host to the search: %w", err)
	}
	sayWhy(ctx, a.Answer)
	for i := range a.Answer.Counterexamples {
		if err := s.confirm(ctx, &a.Answer.Counterexamples[i], o.Bounds.EOT); err != nil {
			return nil, err
		}
	}
	return a.Answer, nil
}

// searchedHere tells whether the host only executes the schedules of a search.
func (s *System) searchedHere(o *search.Options) bool {
	return len(o.Past) > 0 || o.Guide != nil || len(s.remote.strategies) == 0 || len(s.checked) > 0 || o.Steps != nil || s.Single && strategies.Outside(o.Strategy, s.Offers)
}

// has reports a strategy that the host does not have.
func (s *System) has(strategy string) error {
	if strategy == "" || slices.Contains(s.remote.strategies, strategy) {
		return nil
	}
	if err := strategies.Check(strategy); err != nil {
		return err
	}
	return fmt.Errorf("the host does not have the strategy %s", strategy)
}

// searchHere searches in this process, with the schedules executed by hosts.
func (s *System) searchHere(ctx context.Context, o search.Options) (*result.Answer, error) {
	o.Workers = manyWorkers
	target, done := s.executed()
	defer done()
	return strategies.Run(ctx, target.Beyond(o.Past), o)
}

// executed returns the system as a target whose schedules are executed by hosts, and a
// function that ends the hosts started for it.
func (s *System) executed() (*search.Target, func()) {
	if s.remote.workers > 1 && !s.Single {
		return &s.Target, func() {}
	}
	hosts := s.remote.several(runtime.GOMAXPROCS(0))
	target := s.Target
	target.Open = s.openOn(hosts.host)
	return &target, hosts.close
}

// searchAlone makes the host execute one schedule after the other: by the strategy of the
// options, if it does not look into processes, else by one that fits.
func (s *System) searchAlone(ctx context.Context, o search.Options) (*result.Answer, error) {
	o.Workers = 1
	a, err := strategies.Run(ctx, s.Beyond(o.Past), o)
	if o.Strategy != "" && err != nil && ctx.Err() == nil && !errors.As(err, new(*LostError)) {
		o.Strategy = ""
		return strategies.Run(ctx, s.Beyond(o.Past), o)
	}
	return a, err
}

// manyWorkers keeps a host busy: most workers wait for it.
const manyWorkers = 16

// Sets executes all schedules on hosts, fewest faults first, and returns the wanted sets of
// faults.
func (s *System) Sets(ctx context.Context, o search.Options, wanted search.Wanted) (*search.Sets, error) {
	o.Bounds, o.Workers = s.Whole(o.Bounds), manyWorkers
	if err := s.remote.checkKinds(o.Bounds); err != nil {
		return nil, err
	}
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
