package subject

import (
	"context"
	"sync"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/remote"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Trials try one schedule after the other, as cheaply as possible. Several goroutines can
// use them at once.
type Trials interface {
	// Prepare makes Predict know a schedule, and others with faults of the same kinds. The
	// error says why there are no predictions.
	Prepare(ctx context.Context, s rounds.Schedule) error
	// Predict returns the result of a schedule without executing it, nil if it is not
	// known.
	Predict(s rounds.Schedule) *result.Injection
	// Possible returns the facts that can hold under schedules that Predict knows, in no
	// order. For a system these are the facts that held in some execution.
	Possible() []recording.Fact
	// Execute executes a schedule once, or not at all if its result is known.
	Execute(ctx context.Context, s rounds.Schedule) (*result.Injection, error)
	// Confirmed tells whether an execution need not be confirmed.
	Confirmed(in *result.Injection) bool
	// Confirm executes once more a schedule that Execute found broken. The error says that
	// the executions differ.
	Confirm(ctx context.Context, in *result.Injection) (*result.Injection, error)
}

// Trials returns the trials of schedules.
func (p *OpenedProtocol) Trials(ctx context.Context) (Trials, error) {
	t, err := p.model.Trials(ctx)
	if err != nil {
		return nil, err
	}
	return circuits{t}, nil
}

// circuits are the trials of a protocol: an execution of it is always the same.
type circuits struct{ *ldfi.Trials }

func (circuits) Confirmed(*result.Injection) bool { return true }

func (circuits) Confirm(_ context.Context, in *result.Injection) (*result.Injection, error) {
	return in, nil
}

// replays are the trials of a system, whose behaviour is only known by execution.
// Executions are remembered.
type replays struct {
	system *OpenedSystem

	mutex sync.Mutex
	known map[string]*replayed // by schedule
	order []string             // the keys of done, the oldest first
	facts []recording.Fact     // that held in some execution
	held  map[string]bool
}

// replayed is the result of a schedule.
type replayed struct {
	in   *result.Injection
	once *search.Replayed // is to be confirmed; nil: it is
}

// mostReplays limits the schedules that are remembered.
const mostReplays = 200

// Trials returns the trials of schedules.
func (h *OpenedSystem) Trials(context.Context) (Trials, error) {
	return &replays{system: h, known: map[string]*replayed{}, held: map[string]bool{}}, nil
}

func (r *replays) Prepare(context.Context, rounds.Schedule) error { return nil }

func (r *replays) Predict(rounds.Schedule) *result.Injection { return nil }

func (r *replays) Possible() []recording.Fact {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.facts[:len(r.facts):len(r.facts)]
}

// Execute executes a schedule. What it violates is not executed twice, other than by
// Replay.
func (r *replays) Execute(ctx context.Context, s rounds.Schedule) (*result.Injection, error) {
	if known := r.of(s); known != nil {
		return known.in, nil
	}
	var once *search.Replayed
	in, err := fitting(ctx, r.system, s, func() (*result.Injection, error) {
		return r.system.surviving(ctx, func(asked *remote.System) (*result.Injection, error) {
			var err error
			if once, err = asked.Once(ctx, s, r.system.limits.EOT); err != nil {
				once = nil
				return nil, err
			}
			return r.system.injected(s, once), nil
		})
	})
	if err != nil {
		return nil, err
	}
	if in.Verdict != result.Violated || in.Repeats != nil {
		once = nil
	}
	r.remember(in, once)
	return in, nil
}

func (r *replays) Confirmed(in *result.Injection) bool {
	known := r.of(in.Schedule)
	return known == nil || known.once == nil
}

func (r *replays) Confirm(ctx context.Context, in *result.Injection) (*result.Injection, error) {
	known := r.of(in.Schedule)
	if known == nil || known.once == nil {
		return in, nil
	}
	in, err := limits.Await(ctx, limits.QuestionGrace, func() (*result.Injection, error) {
		return r.system.surviving(ctx, func(asked *remote.System) (*result.Injection, error) {
			again := *known.once
			if err := asked.Again(ctx, &again); err != nil {
				return nil, err
			}
			return r.system.injected(in.Schedule, &again), nil
		})
	})
	if err != nil {
		return nil, err
	}
	r.remember(in, nil)
	return in, nil
}

func (r *replays) of(s rounds.Schedule) *replayed {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.known[s.Normal().String()]
}

// remember keeps the result of a schedule, unless another execution may have another
// result.
func (r *replays) remember(in *result.Injection, once *search.Replayed) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if in.Execution != nil {
		for _, f := range in.Execution.Facts {
			if key := f.String(); !r.held[key] {
				r.held[key], r.facts = true, append(r.facts, f)
			}
		}
	}
	if r.system.Inexact() != "" || in.Repeats != nil {
		return
	}
	key := in.Schedule.String()
	if r.known[key] == nil {
		r.order = append(r.order, key)
	}
	r.known[key] = &replayed{in, once}
	if len(r.order) > mostReplays {
		delete(r.known, r.order[0])
		r.order = r.order[1:]
	}
}
