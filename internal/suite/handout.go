package suite

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// The cases of a suite are asked in this process, or handed out in one of two ways: some of
// them to a process on each of several machines (a shard), or one by one to the workers of
// a server (Options.Hands). A shard can hand out its cases to workers as well.

// Shard is part Number, from 1, of Of parts of a suite. The zero value is the whole suite.
type Shard struct{ Number, Of int }

// ParseShard reads for example "1/3".
func ParseShard(text string) (Shard, error) {
	number, of, _ := strings.Cut(text, "/")
	i, err := strconv.Atoi(number)
	n, err2 := strconv.Atoi(of)
	if err != nil || err2 != nil || i < 1 || i > n {
		return Shard{}, fmt.Errorf("%q is no part of a suite: expected for example 1/3, the first of three", text)
	}
	return Shard{i, n}, nil
}

// String returns the text that ParseShard reads, "" for the whole suite.
func (s Shard) String() string {
	if s.Of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Number, s.Of)
}

// of returns the indexes of the cases that belong to the shard, of cases in all.
func (s Shard) of(cases int) []int {
	indexes := []int{}
	for i := range cases {
		if s.Of == 0 || i%s.Of == s.Number-1 {
			indexes = append(indexes, i)
		}
	}
	return indexes
}

// A case that workers ask has its time from when a worker begins it, and not from when
// it is begun here: how long it waits does not count, but for the budget. How long its host is
// built counts for neither.

// handed tells whether cases are handed out.
func (r *run) handed() bool { return r.options.Hands != nil }

// workers returns the number of cases that run at the same time.
func (r *run) workers() int {
	if r.handed() {
		return r.options.Hands.Slots()
	}
	return r.options.Workers
}

// begun returns the most cases that may be begun and not done. More cases are handed out
// than workers do at once, so that no worker waits for the next one.
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

// handing returns the context of a case while it is with workers: it ends with the budget,
// or with the share of the case, whose host may have been built for a long time.
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

// setAside tells whether no worker could do a case.
func setAside(a *result.Answer) bool {
	return a != nil && a.Limit != nil && a.Limit.Kind == limits.SetAside
}
