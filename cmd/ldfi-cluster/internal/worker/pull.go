package worker

import (
	"context"
	"errors"
	"time"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/store"
	"github.com/nats-io/nats.go/jetstream"
)

// short is how long units take at most on average for it to help to take one more for each
// slot, so that none waits for the server; and longWait how long such a unit waits for a
// slot before it is given to somebody else.
const (
	short    = 50 * time.Millisecond
	longWait = 250 * time.Millisecond
)

// pull takes units for a platform, "" are those for any, as long as there is room.
func (w *Worker) pull(ctx context.Context, platform string) {
	var queue jetstream.Consumer
	for ctx.Err() == nil {
		if queue == nil {
			var err error
			if queue, err = w.store.Queue(ctx, w.options.Build, platform); err != nil {
				queue = nil
				pause(ctx, time.Second) // the server is gone for a while
				continue
			}
		}
		n := w.waitForRoom(ctx)
		if n == 0 {
			return
		}
		if err := w.fetch(ctx, queue, n); err != nil {
			queue = nil // somebody may have removed it
			pause(ctx, 250*time.Millisecond)
		}
	}
}

// fetch takes some units, as they come.
func (w *Worker) fetch(ctx context.Context, queue jetstream.Consumer, n int) error {
	waiting, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	batch, err := queue.Fetch(n, jetstream.FetchContext(waiting), jetstream.FetchHeartbeat(time.Second))
	if err != nil {
		return err
	}
	for m := range batch.Messages() {
		w.admit(ctx, m)
	}
	if err := batch.Error(); err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, jetstream.ErrNoMessages) {
		return err
	}
	return nil
}

// pause waits a while.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// waitForRoom waits until there is room for more units, and returns for how many. 0 says
// that the end has come.
func (w *Worker) waitForRoom(ctx context.Context) int {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for ctx.Err() == nil {
		most := len(w.options.Slots)
		if w.quick() {
			most *= 2
		}
		if n := most - len(w.hand); n > 0 {
			return n
		}
		w.room.Wait()
	}
	return 0
}

// quick tells whether units take less time than to get another one.
func (w *Worker) quick() bool {
	if w.count == 0 || w.mean > short {
		return false
	}
	for _, t := range w.hand {
		if !t.begun.IsZero() && time.Since(t.begun) > 2*short {
			return false
		}
	}
	return true
}

// admit takes a unit, if it is one that is to be done.
func (w *Worker) admit(ctx context.Context, m jetstream.Msg) {
	taken, err := store.Take(m)
	if err == nil && taken.Build != store.Token(w.options.Build) {
		err = errors.New("a unit for another ldfi")
	}
	if err == nil && taken.Unit.Platform != "" && !(w.options.Hosts && taken.Unit.Platform == w.options.Platform) {
		err = errors.New("a unit for another platform")
	}
	if err != nil { // no coordinator hands out such a thing
		w.options.Note("thrown away: %v", err)
		_ = m.Term()
		return
	}
	t := &task{Taken: taken, taken: time.Now()}
	t.ctx, t.cancel = context.WithCancelCause(context.Background())
	if ctx.Err() != nil {
		_ = t.GiveBack(0)
		return
	}
	w.mutex.Lock()
	if old := w.hand[t.Sequence]; old != nil && old.Place == t.Place { // given again, though we still do it
		w.mutex.Unlock()
		return
	}
	w.hand[t.Sequence] = t
	w.mutex.Unlock()
	if ctx.Err() != nil { // dropAll may have been too early for it
		t.cancel(errEnding)
	}
	w.ready <- t // has room for all that are taken at a time
}

// giveBack gives a unit that has had a slot to somebody else, after a while.
func (w *Worker) giveBack(t *task, after time.Duration) {
	w.forget(t)
	_ = t.GiveBack(after) // else others get it when they have not heard of us for long
}

// finish takes out a unit that has had a slot.
func (w *Worker) finish(t *task) {
	w.forget(t)
	_ = t.Finish() // else others get it, and find the result
}

// claim tells whether a slot is to do a unit, which nobody else discards from then on.
func (w *Worker) claim(t *task) bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.hand[t.Sequence] != t {
		return false
	}
	t.slot = true
	return true
}

// discard forgets a unit if it has no slot.
func (w *Worker) discard(t *task) bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if t.slot || w.hand[t.Sequence] != t {
		return false
	}
	delete(w.hand, t.Sequence)
	w.room.Broadcast()
	return true
}

// forget makes room for another unit.
func (w *Worker) forget(t *task) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.hand[t.Sequence] == t {
		delete(w.hand, t.Sequence)
	}
	w.room.Broadcast()
}
