// Package worker does units: it takes them from the server, has a slot do each, and keeps
// what that has come to.
package worker

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/members"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/store"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nuid"
)

// Slot does one unit at a time.
type Slot interface {
	// Do does a unit. Tries of the result is 1 if it could not be done. An error says that
	// the unit is not to blame for that. When the context ends the unit is ended at once.
	Do(ctx context.Context, u *work.Unit, limit time.Duration, file func(digest string) ([]byte, error)) (*work.Result, error)
	Close() error
}

// Options say what a worker is like.
type Options struct {
	Name           string
	Build, Version string // of its ldfi
	Platform       string
	Hosts          bool   // it starts programs that come with units
	Slots          []Slot // do units, each one at a time
	Note           func(format string, args ...any)
}

// Worker takes units and does them.
type Worker struct {
	options Options
	id      string
	since   time.Time
	nc      *nats.Conn
	store   *store.Store
	jobs    *store.Jobs
	files   *cache

	ready  chan *task     // units that wait for a slot
	unsent chan struct{}  // has an element for each result that is on its way to the store
	ending sync.WaitGroup // for these

	mutex  sync.Mutex
	room   *sync.Cond       // there is room for more units, or the end has come
	hand   map[uint64]*task // the units that were taken and not finished, by sequence
	mean   time.Duration    // that a unit has taken lately
	count  int64            // of units that were done
	failed int64
}

// task is a unit that was taken.
type task struct {
	*store.Taken
	ctx    context.Context // ends when the unit is not needed any more, or the worker ends
	cancel context.CancelCauseFunc
	taken  time.Time
	slot   bool      // it has one
	begun  time.Time // zero: it is not begun
}

var (
	errUnwanted = errors.New("nobody needs the unit any more")
	errEnding   = errors.New("the worker ends")
)

// Run does units until the context ends. Then it gives back what it has.
func Run(ctx context.Context, nc *nats.Conn, s *store.Store, o Options) error {
	w := &Worker{
		options: o, id: nuid.Next(), since: time.Now(), nc: nc, store: s,
		ready: make(chan *task, 4*len(o.Slots)), unsent: make(chan struct{}, 4*len(o.Slots)), hand: map[uint64]*task{},
	}
	w.room = sync.NewCond(&w.mutex)
	var err error
	if w.files, err = newCache(s); err != nil {
		return err
	}
	defer w.files.close()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if err := w.listen(ctx, cancel); err != nil && ctx.Err() == nil {
		return fmt.Errorf("listening to those who ask: %w", err)
	}
	w.work(ctx)
	if liar := new(LiarError); errors.As(context.Cause(ctx), &liar) {
		return liar
	}
	return nil
}

// LiarError says that several have found that what a worker has said is not true.
type LiarError struct{ Name string }

func (e *LiarError) Error() string {
	return fmt.Sprintf("what %s says is not true: two who asked have done units again, and came to other answers\nits other answers were thrown away; look at the memory of this machine, and start the worker again with another --name", e.Name)
}

// listen begins to listen to coordinators.
func (w *Worker) listen(ctx context.Context, end context.CancelCauseFunc) error {
	accused := func(name string, by int) {
		switch {
		case name != w.options.Name:
		case by >= store.Enough:
			end(&LiarError{name})
		default:
			w.options.Note("somebody says that an answer of %s is not true: it goes on, and ends when another one finds the same", name)
		}
	}
	err := w.store.Liars(ctx, accused, func() {})
	if err != nil {
		return err
	}
	if w.jobs, err = w.store.Jobs(ctx, w.dropJob); err != nil {
		return err
	}
	return errors.Join(
		members.HearCancel(w.nc, w.drop),
		members.Called(w.nc, func() { _ = w.say(false) }),
		w.say(false))
}

// work does units until the context ends.
func (w *Worker) work(ctx context.Context) {
	var doing, pulling sync.WaitGroup
	for _, slot := range w.options.Slots {
		doing.Go(func() { w.slot(ctx, slot) })
	}
	pulling.Go(func() { w.pull(ctx, "") })
	if w.options.Hosts {
		pulling.Go(func() { w.pull(ctx, w.options.Platform) })
	}
	doing.Go(func() { w.beat(ctx) })
	<-ctx.Done()
	w.mutex.Lock()
	w.room.Broadcast()
	w.mutex.Unlock()
	w.dropAll()
	doing.Wait()
	pulling.Wait()
	w.leave()
}

// leave gives back what is left, and says so.
func (w *Worker) leave() {
	delivered := make(chan struct{})
	go func() { w.ending.Wait(); close(delivered) }()
	select {
	case <-delivered:
	case <-time.After(time.Second): // there is no server to deliver to
	}
	for {
		select {
		case t := <-w.ready:
			if w.discard(t) {
				_ = t.GiveBack(0)
			}
		default:
			_ = w.say(true)
			_ = w.nc.FlushTimeout(time.Second)
			return
		}
	}
}

// beat says every second that the worker is there, and every other that it still does what
// it does. Units that have waited for a slot for long it gives to others.
func (w *Worker) beat(ctx context.Context) {
	say, keep, wait := time.NewTicker(members.Beat), time.NewTicker(store.Patience/3), time.NewTicker(longWait)
	defer say.Stop()
	defer keep.Stop()
	defer wait.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-say.C:
			_ = w.say(false)
		case <-keep.C:
			for _, t := range w.tasks() {
				_ = t.Keep() // else others do it too
			}
		case <-wait.C:
			for _, t := range w.tasks() {
				if time.Since(t.taken) > longWait && w.discard(t) {
					_ = t.GiveBack(0)
				}
			}
		}
	}
}

// tasks are the units that the worker has.
func (w *Worker) tasks() []*task {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	all := make([]*task, 0, len(w.hand))
	for _, t := range w.hand {
		all = append(all, t)
	}
	return all
}

// say says that the worker is there, and what it does.
func (w *Worker) say(left bool) error {
	w.mutex.Lock()
	m := members.Member{ID: w.id, Left: left, Worker: work.Worker{
		Name: w.options.Name, Build: w.options.Build, Version: w.options.Version, Platform: w.options.Platform, Hosts: w.options.Hosts,
		Slots: len(w.options.Slots), Done: w.count, Failed: w.failed, Since: w.since,
	}}
	for _, t := range w.hand {
		if !t.begun.IsZero() {
			m.Doing = append(m.Doing, work.Doing{Address: t.Address, Kind: t.Unit.Kind, Since: t.begun})
			m.Units = append(m.Units, members.Unit{Job: t.Job, Sequence: t.Sequence})
		}
	}
	w.mutex.Unlock()
	return members.Say(w.nc, m)
}

// drop ends a unit that nobody needs any more.
func (w *Worker) drop(c members.Cancel) {
	w.mutex.Lock()
	t := w.hand[c.Sequence]
	w.mutex.Unlock()
	if t != nil && t.Job == c.Job {
		w.end(t)
	}
}

// dropJob ends the units of a job that has ended.
func (w *Worker) dropJob(job string) {
	for _, t := range w.tasks() {
		if t.Job == job {
			w.end(t)
		}
	}
}

// end ends a unit that nobody needs any more.
func (w *Worker) end(t *task) {
	if w.discard(t) {
		_ = t.Finish()
	} else {
		t.cancel(errUnwanted) // and the slot finishes it
	}
}

// dropAll ends all units: somebody else does them.
func (w *Worker) dropAll() {
	for _, t := range w.tasks() {
		t.cancel(errEnding)
	}
}
