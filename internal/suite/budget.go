package suite

import (
	"context"
	"fmt"
	"time"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// limit is how long a case may take.
type limit struct {
	time     time.Duration // 0: as long as it takes, unless ofBudget
	ofBudget bool          // the budget of the suite ends it, and not its own timeout
}

// limitless is no limit.
var limitless limit

// limit returns the time limit of a case that begins now: its timeout or, if that is less,
// its share of the rest of the budget.
func (r *run) limit(index int, timeout time.Duration) limit {
	if timeout == 0 {
		timeout = r.options.Timeout
	}
	workers, begun := r.workers(), r.begun()
	r.mutex.Lock()
	defer r.mutex.Unlock()
	waiting := r.waiting
	r.waiting--
	if r.deadline.IsZero() {
		return limit{time: timeout}
	}
	now := r.now()
	left, promised := r.deadline.Sub(now), time.Duration(0)
	for i, end := range r.running {
		at := now
		if since, ok := r.building[i]; ok {
			at = since
			left += now.Sub(since) / time.Duration(begun)
		}
		promised += max(end.Sub(at), 0)
	}
	l := limit{time: share(left, promised, workers, waiting), ofBudget: true}
	if timeout > 0 && timeout < l.time {
		l = limit{time: timeout}
	}
	r.running[index] = now.Add(l.time)
	return l
}

// builds records that the host of a case is being built, which does not count in a budget:
// the time of building says nothing about the case. Other work during it counts.
func (r *run) builds(index int) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.building[index] = r.now()
	r.tell()
}

// built records that the host of a case is built, or cannot be, and returns how long that
// took. It returns 0 if that was recorded before, or no host was built.
func (r *run) built(index int) time.Duration {
	begun := r.begun()
	r.mutex.Lock()
	defer r.mutex.Unlock()
	since, ok := r.building[index]
	if !ok {
		return 0
	}
	delete(r.building, index)
	r.tell()
	took := r.now().Sub(since)
	if _, ok := r.running[index]; ok { // there is a budget
		r.deadline = r.deadline.Add(took / time.Duration(begun))
		r.running[index] = r.running[index].Add(took)
	}
	return took
}

// share returns the part of the time left for one of the cases that wait. As many cases run
// at the same time as there are workers, and those that run have been promised some of the
// time. Time that a case does not need goes to later cases.
func share(left, promised time.Duration, workers, waiting int) time.Duration {
	fair := (float64(left)*float64(workers) - float64(promised)) / float64(waiting)
	if fair > float64(left) {
		return max(left, 0)
	}
	return max(time.Duration(fair), 0)
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

// after says how many executions a search has made by its end; "" for a protocol, which
// makes none.
func after(a *result.Answer) string {
	if a.Search == nil {
		return ""
	}
	return ", after " + text.Plural(a.Search.Executions, "execution")
}

// reason says why a case ended.
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
