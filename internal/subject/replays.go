package subject

import (
	"context"
	"sync"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/remote"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// replays are the trials of a system, of which nothing is known without executing it.
// What was executed is remembered.
type replays struct {
	opened *Opened
	system *hosted

	mutex sync.Mutex
	known map[string]*replayed // by schedule
	order []string             // of these, the oldest first
	facts []recording.Fact     // that held in some execution
	held  map[string]bool
}

// replayed is what became of a schedule.
type replayed struct {
	in   *result.Injection
	once *search.Replayed // is to be confirmed; nil: it is
}

// mostReplays is how many schedules are remembered.
const mostReplays = 200

func newReplays(o *Opened, h *hosted) *replays {
	return &replays{opened: o, system: h, known: map[string]*replayed{}, held: map[string]bool{}}
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
	if err := r.opened.Fits(s); err != nil {
		return nil, err
	}
	var once *search.Replayed
	in, err := limits.Await(ctx, limits.QuestionGrace, func() (*result.Injection, error) {
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

// remember keeps what became of a schedule, unless it may become something else.
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
	if r.system.Inexact != "" || in.Repeats != nil {
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
