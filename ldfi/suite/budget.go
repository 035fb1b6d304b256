package suite

import (
	"context"
	"fmt"
	"time"
)

// limit is how long a case may take.
type limit struct {
	time     time.Duration // 0: as long as it takes, unless ofBudget
	ofBudget bool          // the budget of the suite ends it, and not its own timeout
}

// limit returns how long the next case may take: its timeout or, if that is
// less, its share of what is left of the budget.
func (r *run) limit(timeout time.Duration) limit {
	if timeout == 0 {
		timeout = r.options.Timeout
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	waiting := r.waiting
	r.waiting--
	if r.deadline.IsZero() {
		return limit{time: timeout}
	}
	share := share(r.deadline.Sub(r.now()), r.options.Workers, waiting)
	if timeout > 0 && timeout < share {
		return limit{time: timeout}
	}
	return limit{time: share, ofBudget: true}
}

// share is the part of the time that is left for one of the cases that wait, of
// which so many are worked at at the same time. What a case does not need goes
// to those after it.
func share(left time.Duration, workers, waiting int) time.Duration {
	if left <= 0 {
		return 0
	}
	if waiting <= workers {
		return left
	}
	return time.Duration(float64(left) * float64(workers) / float64(waiting))
}

// over says why a case is not begun, "" if it is.
func (l limit) over(ctx context.Context) string {
	switch {
	case ctx.Err() != nil:
		return "interrupted"
	case l.ofBudget && l.time <= 0:
		return "the budget is used up"
	}
	return ""
}

// context returns the context of a case.
func (l limit) context(ctx context.Context) (context.Context, context.CancelFunc) {
	if l.time <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, l.time)
}

// reason says what ended a case.
func (l limit) reason(ctx context.Context) string {
	switch {
	case ctx.Err() != nil:
		return "interrupted"
	case l.ofBudget:
		return fmt.Sprintf("its share of the budget, %s, is used up", l.time.Round(time.Millisecond))
	default:
		return fmt.Sprintf("the time is up: %s", l.time)
	}
}
