package suite

import (
	"context"
	"time"

	"github.com/lineage-driven/ldfi/internal/refusal"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// A case that is handed out has its time from when a worker begins it, and not from when
// it is begun here: how long it waits does not count, but for the budget. How long its host is
// built counts for neither.

// handed tells whether cases are handed out.
func (r *run) handed() bool { return r.options.Hands != nil }

// workers is how many cases are worked at at the same time.
func (r *run) workers() int {
	if r.handed() {
		return r.options.Hands.Slots()
	}
	return r.options.Workers
}

// begun is how many cases may be begun and not done. Those that are handed out are more
// than are worked at, so that nobody waits for the next one.
func (r *run) begun() int {
	if r.handed() {
		return 2 * r.workers()
	}
	return r.workers()
}

// admit waits until one more case may be begun: when one is done, or when there are more
// workers.
func (r *run) admit() {
	for {
		r.mutex.Lock()
		full := r.active >= r.begun()
		if !full {
			r.active++
		}
		r.mutex.Unlock()
		if !full {
			return
		}
		select {
		case <-r.freed:
		case <-time.After(time.Second):
		}
	}
}

// handing is the context of a case while it is with workers: it ends with the budget, or
// with the share of it which the case was given, whose host may have been built for long.
func (r *run) handing(ctx context.Context, index int, l limit) (context.Context, context.CancelFunc) {
	if !l.ofBudget {
		return context.WithCancel(ctx)
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	end := r.deadline
	if own := r.running[index]; own.After(end) {
		end = own
	}
	return context.WithDeadline(ctx, end)
}

// timedOut tells whether the time of an answer was up before it was known.
func timedOut(a *result.Answer) bool {
	return a != nil && a.Limit != nil && a.Limit.Kind == result.LimitTimeout
}

// setAside tells whether nobody could do a case.
func setAside(a *result.Answer) bool {
	return a != nil && a.Limit != nil && a.Limit.Kind == refusal.SetAside
}
