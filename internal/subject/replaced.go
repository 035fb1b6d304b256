package subject

import (
	"context"
	"errors"
	"io"
	"runtime"
	"sync"

	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/remote"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// replaced are hosts that make the executions of a search, each one execution at a time. A
// host that ends, or does not come back, in a way that is known is replaced by a fresh one,
// and the search goes on.
type replaced struct {
	*OpenedSystem
	past []result.Violation

	mutex sync.Mutex
	idle  []*OpenedSystem
}

// searchReplaced searches past ends of the host as a whole.
func (h *OpenedSystem) searchReplaced(ctx context.Context, o search.Options) (*result.Answer, error) {
	quiet := *h.question
	quiet.Stderr = io.Discard // the first host has written its output already
	hosts := &replaced{OpenedSystem: &OpenedSystem{System: h.System, question: &quiet, limits: h.limits}, past: o.Past}
	defer hosts.close()
	live := h.system()
	target := live.Target
	target.Open = func(eot int, record bool) (search.Executor, error) {
		if record {
			return &replacing{hosts, eot, messages.Always}, nil
		}
		return &replacing{hosts, eot, messages.Violated}, nil
	}
	o.Bounds, o.Workers = live.Whole(o.Bounds), runtime.GOMAXPROCS(0)
	return strategies.Run(ctx, target.Beyond(o.Past), o)
}

// take returns a host that makes no execution now.
func (r *replaced) take(ctx context.Context) (*OpenedSystem, error) {
	r.mutex.Lock()
	if last := len(r.idle) - 1; last >= 0 {
		host := r.idle[last]
		r.idle = r.idle[:last]
		r.mutex.Unlock()
		return host, nil
	}
	r.mutex.Unlock()
	return r.fresh(ctx, true)
}

// execute executes a schedule on a host. If the host is lost in a way that is known, the
// violation is that way, and nothing is recorded.
func (r *replaced) execute(ctx context.Context, s rounds.Schedule, eot int, record messages.Recording) (*recording.Execution, []result.Violation, error) {
	host, err := r.take(ctx)
	if err != nil {
		return nil, nil, err
	}
	e, violations, err := host.System.Execute(ctx, s, eot, record)
	var lost *remote.LostError
	if !errors.As(err, &lost) {
		r.mutex.Lock()
		defer r.mutex.Unlock()
		r.idle = append(r.idle, host)
		return e, violations, err
	}
	_ = host.Close()
	if end := endOf(lost); ctx.Err() == nil && search.Known(end, r.past) {
		return &recording.Execution{System: r.Name, Bounds: withRounds(r.Bounds(), eot), Schedule: s.Normal()}, []result.Violation{end}, nil
	}
	return nil, nil, err
}

func (r *replaced) close() {
	for _, host := range r.idle {
		_ = host.Close()
	}
}

// replacing is an executor of executions with eot rounds.
type replacing struct {
	hosts  *replaced
	eot    int
	record messages.Recording
}

func (x *replacing) Execute(ctx context.Context, s rounds.Schedule) (*recording.Execution, []result.Violation, error) {
	search.Spend(ctx, x.eot)
	return x.hosts.execute(ctx, s, x.eot, x.record)
}

func (x *replacing) Extents(ctx context.Context, s rounds.Schedule, extents []int, goOn func(n int, violations []result.Violation) bool) error {
	return search.EachExtent(ctx, s, extents, func(n int) ([]result.Violation, error) {
		_, violations, err := x.hosts.execute(ctx, s, n, messages.Never)
		return violations, err
	}, goOn)
}
