package worker

import (
	"context"
	"errors"
	"time"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/members"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/store"
	"github.com/lineage-driven/ldfi/internal/work"
)

// slot has a slot do one unit after the other.
func (w *Worker) slot(ctx context.Context, slot Slot) {
	for {
		select {
		case <-ctx.Done():
			return
		case t := <-w.ready:
			w.do(ctx, slot, t)
		}
	}
}

// do has a slot do a unit, unless that is known or not wanted.
func (w *Worker) do(ctx context.Context, slot Slot, t *task) {
	if !w.claim(t) {
		return
	}
	if !w.jobs.Wanted(t.ctx, t.Job) {
		w.finish(t)
		return
	}
	if r, err := w.known(t); err == nil && r != nil {
		w.deliver(ctx, t, store.Given{Result: r})
		return
	}
	w.begin(t)
	missing := false
	r, err := slot.Do(t.ctx, t.Unit, t.Limit, func(digest string) ([]byte, error) {
		content, err := w.files.get(t.ctx, digest)
		missing = missing || errors.Is(err, store.ErrNoFile)
		return content, err
	})
	switch {
	case errors.Is(context.Cause(t.ctx), errEnding):
		w.giveBack(t, 0)
	case t.ctx.Err() != nil:
		w.finish(t)
	case missing:
		w.deliver(ctx, t, store.Given{Failure: w.refuse(t, store.ErrNoFile.Error())})
	case err != nil: // which the unit is not to blame for
		w.options.Note("a unit is given back: %v", err)
		w.giveBack(t, time.Second)
		pause(ctx, time.Second)
	default:
		w.note(t, r)
		w.deliver(ctx, t, w.given(t, r))
	}
}

// known looks for the result of a unit that somebody has done already.
func (w *Worker) known(t *task) (*work.Result, error) {
	ctx, cancel := context.WithTimeout(t.ctx, time.Second)
	defer cancel()
	return w.store.Final(ctx, t.Place.Build, t.Address)
}

// begin says that the unit is begun.
func (w *Worker) begin(t *task) {
	w.mutex.Lock()
	t.begun = time.Now()
	w.mutex.Unlock()
	_ = members.SayBegun(w.nc, t.Job, members.Begun{ID: w.id, Name: w.options.Name, Address: t.Address, Sequence: t.Sequence})
}

// note counts a unit.
func (w *Worker) note(t *task, r *work.Result) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	took := time.Since(t.begun)
	if w.count == 0 {
		w.mean = took
	}
	w.mean += (took - w.mean) / 4
	w.count++
	if r.Failure != "" {
		w.failed++
	}
}

// given is what a slot has come to, as the coordinator gets it.
func (w *Worker) given(t *task, r *work.Result) store.Given {
	r.Address, r.Worker, r.Build = t.Address, w.options.Name, w.options.Build
	if r.Tries == 0 {
		return store.Given{Result: r}
	}
	w.options.Note("a unit came to nothing: %s", r.Failure)
	return store.Given{Failure: &store.Failure{
		Address: t.Address, Kind: t.Unit.Kind, Worker: w.options.Name, Time: time.Now(), Reason: r.Failure, Log: r.Log,
	}}
}

// refuse says that no worker can do a unit.
func (w *Worker) refuse(t *task, why string) *store.Failure {
	return &store.Failure{Address: t.Address, Kind: t.Unit.Kind, Worker: w.options.Name, Time: time.Now(), Reason: why, Refused: true}
}

// deliver brings the result of a unit to the store while the slot goes on, as long as there
// are not too many on their way. The unit is kept until it is there.
func (w *Worker) deliver(ctx context.Context, t *task, g store.Given) {
	select {
	case w.unsent <- struct{}{}:
	case <-ctx.Done():
		w.giveBack(t, 0)
		return
	}
	w.ending.Go(func() {
		defer func() { <-w.unsent }()
		for !w.settled(ctx, t, g, w.put(t, g)) {
			pause(ctx, 250*time.Millisecond)
		}
	})
}

// settled tells whether a unit has come to an end after its result was put, or was not.
func (w *Worker) settled(ctx context.Context, t *task, g store.Given, err error) bool {
	switch {
	case err == nil && g.Failure != nil && !g.Failure.Refused:
		w.giveBack(t, 500*time.Millisecond)
	case err == nil, errors.Is(context.Cause(t.ctx), errUnwanted), !w.jobs.Wanted(t.ctx, t.Job):
		w.finish(t)
	case !store.Unreachable(err):
		w.options.Note("a unit is given back: what it has come to cannot be kept: %v", err)
		w.giveBack(t, 5*time.Second)
	case ctx.Err() != nil:
		w.giveBack(t, 0)
	default:
		return false
	}
	return true
}

// put brings the result of a unit to the store, or, if it has no room, to the coordinator.
func (w *Worker) put(t *task, g store.Given) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	var err error
	if g.Failure != nil {
		err = w.store.PutFailure(ctx, t.Job, g.Failure)
	} else {
		err = w.store.PutResult(ctx, t.Place, g.Result)
	}
	switch {
	case err == nil || store.Unreachable(err):
		return err
	case store.TooLarge(err):
		g = store.Given{Failure: w.refuse(t, "its result is larger than what the server takes at a time")}
	}
	if err = members.Hand(w.nc, t.Job, g); store.TooLarge(err) {
		return members.Hand(w.nc, t.Job, store.Given{Failure: w.refuse(t, "the store of the server is full, and its result is too large to go past it")})
	}
	return err
}
